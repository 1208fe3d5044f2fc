import { z } from "zod";
import { duration } from "#platform/config/kinds.ts";

/** The most policies. */
const maxPolicies = 100;
const minute = 60_000;
const day = 24 * 60 * minute;

const policy = z.strictObject({
  source: z.string().startsWith("//").max(1_000).describe(
    "CATRN of a data source, or a prefix of several up to a slash; the first policy that matches applies",
  ),
  after: duration("14 d").refine((ms) => ms >= 60 * minute && ms <= 90 * day, {
    error: "must be 1 h to 90 d",
  }).describe("Time after an entity was last seen when it expires"),
  act: z.enum(["edges", "delete"]).describe(
    "What expires: the edges that the entity declared, or the entity, which becomes DELETED",
  ),
});

/** What becomes of entities that their collector no longer brings. */
export const stale = z.strictObject({
  sources: z.array(policy).max(maxPolicies, `must be at most ${maxPolicies}`).default([]),
  fuse: z.number().min(0).max(1).default(0.2).describe(
    "Share of a source's live entities beyond which nothing expires without approval",
  ),
  "fuse-min": z.int().min(0).max(1_000_000).default(20).describe(
    "Number of entities of a source that may expire at once whatever their share",
  ),
  every: duration("1 h").refine((ms) => ms >= 10 * minute && ms <= day, {
    error: "must be 10 min to 1 d",
  }).describe("Time between two checks for expired entities"),
  "dry-run": z.boolean().default(false).describe(
    "Whether expiry only simulates: nothing expires, and `npm run stale -- list` shows what would",
  ),
});
