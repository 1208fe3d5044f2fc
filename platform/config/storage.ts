import { z } from "zod";
import { address, demands, duration, ssl } from "#platform/config/kinds.ts";

const remote = z.strictObject({
  url: address("https://s3.example", ["http", "https"])
    .refine((text) => {
      const url = URL.parse(text);
      return url !== null && url.search === "" && url.hash === "" && url.username === "";
    }, "must hold no user, ? or #: access-key and secret-key sign in")
    .optional().describe("Address of a server that speaks S3, without the bucket"),
  "access-key": z.string().min(1).optional().describe("Name of the account at that server"),
  "secret-key": z.string().min(1).optional().describe("Secret of the account"),
  bucket: z.string().regex(/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/, "must be the name of a bucket")
    .optional().describe("Bucket of the attachments, which must exist"),
  region: z.string().regex(/^[a-z0-9-]{1,40}$/).default("us-east-1").describe(
    "Region for which requests are signed",
  ),
  ssl: ssl(),
});

/** Files and links of data entities, and where the files are stored. */
export const attachment = z.strictObject({
  storage: z.enum(["LOCAL", "REMOTE"]).default("LOCAL").describe(
    "Where files are stored: in a directory, or on an S3 server",
  ),
  "max-file-size": z.int().min(1).max(2_000).default(20).describe(
    "Largest file, in MB of 1,000,000 bytes",
  ),
  "max-files": z.int().min(1).max(10_000).default(100).describe(
    "Maximum number of files of one entity, running uploads included",
  ),
  "max-total-size-per-caller": z.int().min(1).max(10_000_000).default(10_000).describe(
    "Maximum size of all files uploaded by one user, or without sign-in by one network, in MB " +
      "of 1,000,000 bytes; deleted files do not count",
  ),
  "max-links": z.int().min(1).max(10_000).default(100).describe(
    "Maximum number of links of one entity",
  ),
  local: z.strictObject({
    path: z.string().min(1).optional().describe(
      "Directory of the files, the same one for every process of `api`; unset: `attachments` in " +
        "`data.dir`",
    ),
  }).prefault({}),
  remote: remote.prefault({}),
}).superRefine(({ storage, local, remote }, context) => {
  const { demand, idle } = demands(context);
  const settings = ["url", "access-key", "secret-key", "bucket"] as const;
  const caFile = remote.ssl["ca-file"];
  if (storage === "REMOTE") {
    for (const name of settings) {
      demand(remote[name], ["remote", name], "attachment.storage is REMOTE");
    }
    idle(local.path, ["local", "path"], "while attachment.storage is REMOTE");
    if (remote.url?.startsWith("https:")) return;
    return idle(caFile, ["remote", "ssl", "ca-file"], "unless attachment.remote.url is https://");
  }
  for (const name of settings) {
    idle(remote[name], ["remote", name], "unless attachment.storage is REMOTE");
  }
  idle(caFile, ["remote", "ssl", "ca-file"], "unless attachment.storage is REMOTE");
});

const minute = 60_000;
const day = 24 * 60 * minute;

/** Backups that the service `api` makes by itself. */
export const backup = z.strictObject({
  directory: z.string().min(1).optional().describe(
    "Directory of the scheduled backups, on another disk than the data; unset: none are made",
  ),
  every: duration("1 d").refine((ms) => ms >= 10 * minute && ms <= 31 * day, {
    error: "must be 10 min to 31 d",
  }).describe("Time between two scheduled backups"),
  retain: z.int().min(1).max(1_000).default(7).describe(
    "Number of scheduled backups to retain; older ones are deleted once a new one is complete",
  ),
});
