import type { Context } from "#platform/context.ts";
import { changeTypes } from "#services/api/features/changes/schemas.ts";

/** Why a change stream ended. */
export const endings = ["left", "time", "slow", "access", "lost", "stopping"] as const;
export type StreamEnd = (typeof endings)[number];

export type FeedMetrics = ReturnType<typeof feedMetrics>;

/** Figures of those who follow the changes. */
export function feedMetrics({ metrics }: Pick<Context, "metrics">) {
  const made = {
    streams: metrics.gauge("tributary_change_streams", "Clients connected to the change stream"),
    events: metrics.counter(
      "tributary_change_events_total",
      "Events sent to clients of the change stream",
      ["kind"],
    ),
    ended: metrics.counter(
      "tributary_change_streams_ended_total",
      "Clients of the change stream that were disconnected, by reason",
      ["reason"],
    ),
    refused: metrics.counter(
      "tributary_change_streams_refused_total",
      "Clients refused by the change stream because too many were connected",
      ["limit"],
    ),
    delay: metrics.histogram(
      "tributary_change_delay_seconds",
      "Time from a change until the streaming process has read it",
    ),
    waiting: metrics.gauge(
      "tributary_change_reads_waiting",
      "Clients of the change stream that lag far behind and are waiting to read",
    ),
  };
  for (const kind of [...changeTypes, "reset"]) made.events.inc({ kind }, 0);
  for (const reason of endings) made.ended.inc({ reason }, 0);
  return made;
}
