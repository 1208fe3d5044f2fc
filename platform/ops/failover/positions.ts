import { messageOf } from "#kit/errors.ts";
import { LeasedLoop } from "#metadata/postgres/leases.ts";
import type { Context } from "#platform/context.ts";
import { groups, lagOf } from "#platform/ops/lag.ts";
import { compareLog } from "#platform/ops/failover/log.ts";
import { type LogPosition, notePositions } from "#platform/ops/failover/queries.ts";

/** Milliseconds between two notes; what is applied again after a failover. */
const everyMs = 10_000;
const lease = { name: "log-positions", ttlMs: 3 * everyMs };

/** Milliseconds that the end of the process waits for a note. */
const stopMs = 1_000;

type Deps = Pick<Context, "db" | "events" | "leases" | "clock" | "log">;

/**
 * Notes in PostgreSQL how far an event log outside of it has been consumed, so that after a failover to an older PostgreSQL
 * its consumers can continue from what that one holds. One process does. Returns a function that ends it.
 */
export function followPositions(deps: Deps): () => Promise<void> {
  const { events, leases, clock, log, db: { guard } } = deps;
  if (!events.rewind || !guard) return () => Promise.resolve();
  let last = new Map<string, number>();
  const loop = new LeasedLoop({
    lease,
    leases,
    log,
    clock,
    stopMs,
    standbyMs: everyMs,
    retry: { initial: everyMs, max: everyMs },
    failed: (error) => log.debug("positions could not be noted", { error: messageOf(error) }),
    async lead() {
      await compareLog(deps);
      last = await notePositionsOnce(deps, last);
      return everyMs;
    },
    standBy: () => last.clear(),
  });
  void loop.start((error) => log.error("positions are no longer noted", { error }));
  return () => loop.stop();
}

const keyOf = ({ group, topic, partition }: LogPosition) => `${group}/${topic}/${partition}`;

/** Notes the positions that differ from the `last` ones, and returns all. */
export async function notePositionsOnce(
  { db, events }: Pick<Deps, "db" | "events">,
  last: ReadonlyMap<string, number> = new Map(),
): Promise<Map<string, number>> {
  // Before the positions: those of a former timeline are not written.
  const history = db.guard?.history;
  const positions = await lagOf(events, groups);
  const changed = positions.filter((one) => last.get(keyOf(one)) !== one.committed);
  if (history === undefined) return new Map();
  if (changed.length > 0) await notePositions(db, history, changed);
  return new Map(positions.map((one) => [keyOf(one), one.committed]));
}
