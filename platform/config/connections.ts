import { z } from "zod";
import { duration, list } from "#platform/config/kinds.ts";

/** 32 bytes in Base64. */
const key = z.string().refine(
  (text) => /^[A-Za-z0-9+/_-]{43}=?$/.test(text),
  "must be 32 bytes in Base64: openssl rand -base64 32",
);

/** Which sources connections may reach, and how. */
export const connections = z.strictObject({
  enabled: z.boolean().default(true).describe(
    "Whether connections run; off: the service `collector` does nothing",
  ),
  "secret-key": key.optional().describe(
    "Key that encrypts the secrets of connections, 32 bytes in Base64, the same for `api` and `collector`; " +
      "unset: secrets can only be references such as `${env:SOURCE_SECRET_SHOP}`",
  ),
  "secret-dir": z.string().min(1).optional().describe(
    "Directory of the files that `${file:NAME}` names; unset: none",
  ),
  "artifact-dirs": list((entry) => entry.startsWith("/"), "must be absolute paths")
    .describe(
      "Folders from which connections of the service `collector` may read dbt artifacts and " +
        "data files, subfolders included, separated by commas. Empty: none",
    ),
  "allowed-hosts": list((entry) => /^[\p{L}\p{N}.*:/_-]+$/u.test(entry), "must be hosts")
    .describe(
      "Hosts that connections may reach, separated by commas: names, `*.example.com`, addresses " +
        "or networks (`10.0.0.0/8`). Empty: all hosts except this machine, which is allowed only " +
        "if `server.host` is a loopback address. Link-local and metadata addresses are never " +
        "allowed",
    ),
  concurrency: z.int().min(1).max(16).default(2).describe(
    "Maximum number of concurrent runs in one process",
  ),
  "max-run-time": duration("30 min")
    .refine((ms) => ms >= 1_000 && ms <= 86_400_000, "must be 1 s to 24 h")
    .describe("Maximum duration of a run"),
  "statement-timeout": duration("30 s")
    .refine((ms) => ms >= 100 && ms <= 600_000, "must be 100 ms to 10 min")
    .describe("Timeout of a query in a source"),
});
