import { z } from "zod";
import { isAddressOrNetwork } from "#platform/http/request-headers.ts";
import { bytes, duration, hostname, list, port, someBytes } from "#platform/config/kinds.ts";

const isName = (text: string) => text === "*" || /^[A-Za-z0-9._-]{1,253}$/.test(text);
const isHost = (text: string) => /^[A-Za-z0-9._:-]{1,253}$/.test(text);
const isOrigin = (text: string) => /^https?:/.test(text) && URL.parse(text)?.origin === text;

/** The address of the API, who may call it, and limits that hold for every request. */
export const server = z.strictObject({
  host: hostname.default("127.0.0.1").describe("Address that the API listens on"),
  port: port.default(8080).describe("Port of the API; 0 takes a free one"),
  hosts: list(isName, "must be names without ports, separated by commas, or *").describe(
    "Host names by which clients reach this process, besides `localhost` and that of " +
      "`catalog.platform-base-url`, separated by commas. Requests to IP addresses are always " +
      "allowed; `*` allows every name. Applies to OTLP over HTTP as well",
  ),
  "private-hosts": list(
    isHost,
    "must be host names or addresses without ports, separated by commas",
  )
    .transform((hosts) => hosts.map((host) => host.toLowerCase())).describe(
      "Hosts on a private network to which passwords and tokens may be sent without TLS, separated by commas; " +
        "for other remote hosts, a warning is logged at start",
    ),
  cors: z.strictObject({
    origins: list(isOrigin, "must be origins such as https://ui.example, by commas").describe(
      "Origins whose web pages may call the API, besides the server's own and that of " +
        "`catalog.platform-base-url`, separated by commas",
    ),
  }).prefault({}),
  "trusted-proxies": list(
    isAddressOrNetwork,
    "must be addresses or networks such as 10.0.0.0/8, separated by commas",
  ).describe(
    "Proxies whose `X-Forwarded-For` or `Forwarded` names the address of a client, separated " +
      "by commas; unset: the address of the connection is used. Applies to OTLP over HTTP and " +
      "gRPC as well",
  ),
  "max-requests-per-address": z.int().min(0).max(1_000_000).default(1_000).describe(
    "Maximum number of concurrent requests from one remote address; OTLP over HTTP is counted " +
      "separately. 0: no limit. Behind a proxy that is not in `server.trusted-proxies`, all " +
      "clients share its address",
  ),
  "max-requests-per-caller": z.int().min(0).max(1_000_000).default(6).describe(
    "Maximum number of concurrent requests of one user in one process, over all sessions and " +
      "tokens; further ones wait. The default is what a browser sends. Does not apply to " +
      "collectors, to the service key, or without sign-in. 0: no limit",
  ),
  "max-refused-bytes-per-address": bytes("16 MB").describe(
    "Bytes of bodies over 256 kB of rejected requests that one remote address may send at once; beyond that its " +
      "large bodies are answered with 429 until it has waited. A minute gives them all back; OTLP is " +
      "counted by itself, 0 lifts the limit, and behind a proxy that is not trusted all clients have its address",
  ),
  "max-change-streams": z.int().min(0).max(100_000).default(500).describe(
    "Maximum number of concurrent clients of `GET /api/changes` in one process; each holds a " +
      "connection, and its credentials are checked every second",
  ),
  "max-change-streams-per-caller": z.int().min(0).max(100_000).default(50).describe(
    "The same limit for one user or, without sign-in, for one remote address. 0: no limit. " +
      "Behind a proxy that is not trusted, all clients share its address",
  ),
  "max-written-per-caller": bytes("200 MB").describe(
    "Maximum number of body bytes with which one user, or without sign-in one network, may " +
      "change the catalogue in a day, per process; each change counts for 1 kB at least. Files, " +
      "imports and ingestion have limits of their own, and the service key has none; 0: no " +
      "limit",
  ),
  "max-body-size": someBytes("5 MB").describe("Largest body under /api, after decompression"),
  "body-timeout": duration("60 s")
    .refine((ms) => ms >= 100 && ms <= 3_600_000, "must be 100 ms to 1 h")
    .describe("How long a client may take to send its body, 100 ms to 1 h"),
});
