import { AppError } from "#kit/errors.ts";
import { retry } from "#kit/retry.ts";
import type { Context } from "#platform/context.ts";
import {
  acceptLog,
  acceptTimeline,
  type LogPosition,
  readPositions,
  refuseLog,
  refuseTimeline,
} from "#platform/ops/failover/queries.ts";
import { type GroupOfTopic, groups } from "#platform/ops/lag.ts";
import { rebuild } from "#services/ingest-consumer/projector/rebuild.ts";
import type { Examination } from "./examine.ts";

type Deps = Pick<Context, "db" | "events" | "graph" | "leases" | "clock" | "log" | "cache">;

/** Milliseconds between two looks at whether consumers have left their groups, and how often. */
const leaving = { everyMs: 1_000, times: 90 };

/** Milliseconds in which every process refuses an event log that one of them refuses. */
const refusedWithinMs = 12_000;

export interface AcceptedLoss {
  /** Records that are applied again, by group; those that had their effect have no second one. */
  rewound: (GroupOfTopic & { records: number })[];
  /** Edges of the graph that was built; null where it is the metadata itself. */
  edges: number | null;
}

/**
 * Accepts an older PostgreSQL, event log, or both: sets the consumers of the event log back to where PostgreSQL stands, builds
 * the graph from it, and has the processes use both. Safe to interrupt and to repeat: until the end they refuse.
 */
export async function acceptLoss(
  deps: Deps,
  { server, timeline, missing, lost }: Examination,
  progress: (step: string) => void = () => {},
): Promise<AcceptedLoss> {
  const { db, events, cache } = deps;
  if (missing) {
    // So that those that have nothing to compare refuse it, too.
    await refuseTimeline(db, timeline, { by: "npm run failover", ...missing });
  }
  await refuseLog(db, lost);
  const rewound: AcceptedLoss["rewound"] = [];
  if (events.rewind) {
    progress("setting the consumers of the event log back");
    if (lost.length > 0) await deps.clock.sleep(refusedWithinMs);
    // Of what an older log holds nothing is known.
    const positions = (await readPositions(db)).filter((one) =>
      !lost.some(({ topic, partition }) => one.topic === topic && one.partition === partition)
    );
    for (const consumer of groups) rewound.push(await rewindGroup(deps, consumer, positions));
  }
  let edges: number | null = null;
  if (missing) {
    progress("building the lineage graph");
    const built = await rebuild(deps);
    edges = built.projection === "inline" ? null : built.edges;
    // Ids that were given to what is missing are given again.
    await cache.clear();
    await acceptTimeline(db, server);
  }
  await acceptLog(db, lost);
  return { rewound, edges };
}

/** Waits until the consumers have left the group, which they do while they refuse PostgreSQL. */
async function rewindGroup(
  { events, clock }: Deps,
  { group, topic }: GroupOfTopic,
  positions: LogPosition[],
): Promise<GroupOfTopic & { records: number }> {
  const noted = new Map(
    positions.filter((one) => one.group === group && one.topic === topic)
      .map((one) => [one.partition, one.committed]),
  );
  const bounds = new Map((await events.bounds(topic)).map((one) => [one.partition, one.start]));
  let records = 0;
  const ends = await events.lag(group, topic);
  const offsets = ends.map(({ partition, committed, end }) => {
    const start = bounds.get(partition) ?? 0;
    // Where nothing was noted, everything that the log holds.
    const offset = Math.max(start, Math.min(noted.get(partition) ?? start, committed, end));
    records += Math.max(0, Math.min(committed, end) - offset);
    return { partition, offset };
  });
  const ahead = ends.some(({ committed, end }) => committed > end);
  if (records === 0 && !ahead) return { group, topic, records };
  await retry(() => events.rewind!(group, topic, offsets), {
    attempts: leaving.times,
    initial: leaving.everyMs,
    max: leaving.everyMs,
    retryable: (error) => error instanceof AppError && error.retryable,
    clock,
  });
  return { group, topic, records };
}
