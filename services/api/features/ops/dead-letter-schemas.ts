import { z } from "@hono/zod-openapi";
import { Int, Long, optional } from "#contract/catalogue/common.ts";
import { Timestamp } from "#contract/http.ts";
import { StorableText } from "#contract/text.ts";
import { deadLetterId } from "#eventlog/dead-letter-selection.ts";
import { maxPerRequest } from "#services/api/features/ops/bounds.ts";

/** Id of a dead letter. */
export const DeadLetterId = z.string().regex(deadLetterId, {
  error: "must be the id of a dead letter, <partition>-<offset>",
});

const next = optional(z.string()).openapi({
  description: "Give it as `after` to go on; null when nothing is left",
});

export const OpsDeadLetter = z.object({
  id: z.string(),
  reason: z.string(),
  message: z.string(),
  topic: z.string().openapi({ description: "Where the record came from" }),
  partition: optional(Int),
  offset: optional(Long),
  key: optional(z.string()),
  bytes: Long,
  cut: z.boolean().openapi({
    description: "Whether it was truncated: it cannot be replayed",
  }),
  failed_at: Timestamp,
  beginning: optional(z.string()).openapi({
    description: "Its first characters, secrets masked; null if it is not text",
  }),
}).openapi("OpsDeadLetter");
export const OpsDeadLetterList = z.object({ items: z.array(OpsDeadLetter), next })
  .openapi("OpsDeadLetterList");

/** Longest reason; ours are short words. */
const maxReason = 200;

export const DeadLetterSelection = z.object({
  all: z.literal(true).optional(),
  reason: StorableText.max(maxReason).optional(),
  ids: z.array(DeadLetterId).min(1).max(maxPerRequest, {
    error: `must name at most ${maxPerRequest} dead letters`,
  }).optional(),
  after: DeadLetterId.optional().openapi({ description: "`next` of the answer before" }),
}).refine(
  ({ all, reason, ids }) => [all, reason, ids].filter((one) => one !== undefined).length === 1,
  {
    error: "must have one of all, reason and ids",
  },
).openapi("OpsDeadLetterSelection");
export type DeadLetterSelection = z.output<typeof DeadLetterSelection>;

export const OpsReplayed = z.object({
  replayed: Int,
  skipped: z.array(z.string()).openapi({
    description: "Ids of those that were truncated, or that their topic does not accept",
  }),
  next,
}).openapi("OpsReplayed");
export const OpsDropped = z.object({ dropped: Int, next }).openapi("OpsDropped");
