import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** The period that is shown: seconds in all, and between two values. */
export const periodSeconds = 24 * 3_600;
export const stepSeconds = 15 * 60;
export const steps = periodSeconds / stepSeconds;

/** What happened in a step; `step` is counted from the first. */
export interface BatchStep {
  step: number;
  batches: number;
  items: number;
  refused_batches: number;
  refused_items: number;
}

/** SQL of the step that a time lies in; `$1` is when the first one begins. */
const stepOf = (at: string) =>
  `floor(extract(epoch FROM ${at} - $1::timestamptz) / ${stepSeconds})::integer`;
const within = (at: string) =>
  `${at} >= $1::timestamptz AND ${at} < $1::timestamptz + ${periodSeconds} * interval '1 second'`;

const batches = statement<BatchStep>("ops-history-batches")`
  SELECT ${stepOf("applied_at")} AS step,
         count(*) FILTER (WHERE outcome = 'applied' AND part = 0) AS batches,
         coalesce(sum(items), 0)::bigint AS items,
         count(*) FILTER (WHERE outcome = 'refused') AS refused_batches,
         coalesce(sum((detail ->> 'left_out')::bigint) FILTER (WHERE outcome = 'applied'), 0)::bigint AS refused_items
    FROM applied_batch WHERE ${within("applied_at")} GROUP BY 1`;

/** Steps in which batches were applied or refused; `from` is RFC 3339. */
export function readBatchSteps(db: Queryable, from: string): Promise<BatchStep[]> {
  return db.query(batches, [from]);
}

/** What became of deliveries of a channel in a step. */
export interface DeliveryStep {
  step: number;
  channel: string;
  delivered: number;
  failed: number;
}

const deliveries = statement<DeliveryStep>("ops-history-deliveries")`
  SELECT ${stepOf("ended_at")} AS step, channel,
         count(*) FILTER (WHERE state = 'delivered') AS delivered,
         count(*) FILTER (WHERE state = 'failed') AS failed
    FROM delivery
   WHERE ended_at IS NOT NULL AND state IN ('delivered', 'failed') AND ${within("ended_at")}
   GROUP BY 1, 2`;

/** Steps in which deliveries ended; `from` is RFC 3339. */
export function readDeliverySteps(db: Queryable, from: string): Promise<DeliveryStep[]> {
  return db.query(deliveries, [from]);
}
