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
    "Whether connections run; the service `collector` then does nothing",
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
      "Folders of the service `collector` from which connections may read artifacts of dbt and files of data, " +
        "separated by commas, with all below them. Empty: none",
    ),
  "allowed-hosts": list((entry) => /^[\p{L}\p{N}.*:/_-]+$/u.test(entry), "must be hosts")
    .describe(
      "Hosts that connections may reach, separated by commas: names, `*.example.com`, addresses or networks " +
        "(`10.0.0.0/8`). Empty: all but this machine, which is open where `server.host` is loopback. Link-local " +
        "and metadata addresses never are",
    ),
  concurrency: z.int().min(1).max(16).default(2).describe("Runs at a time in one process"),
  "max-run-time": duration("30 min")
    .refine((ms) => ms >= 1_000 && ms <= 86_400_000, "must be 1 s to 24 h")
    .describe("Longest run"),
  "statement-timeout": duration("30 s")
    .refine((ms) => ms >= 100 && ms <= 600_000, "must be 100 ms to 10 min")
    .describe("Longest query in a source"),
});
