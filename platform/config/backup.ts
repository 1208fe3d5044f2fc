import { z } from "zod";
import { duration } from "#platform/config/kinds.ts";

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
