import type { LostRecords } from "#eventlog/port.ts";
import { messageOf } from "#kit/errors.ts";
import { Loop } from "#kit/loop.ts";
import { retry } from "#kit/retry.ts";
import { decodeMark } from "#metadata/postgres/history/compare.ts";
import { LeasedLoop } from "#metadata/postgres/leases.ts";
import type { Context } from "#platform/context.ts";
import {
  type LogPosition,
  notePositions,
  readMissing,
  readPositions,
  refuseLog,
} from "#platform/ops/failover/queries.ts";
import { groups, lagOf } from "#platform/ops/lag.ts";

type Deps = Pick<Context, "db" | "events">;

/** The partitions that end before a position that PostgreSQL noted, or that a group has committed. */
export async function missingRecords({ db, events }: Deps): Promise<LostRecords[]> {
  const positions = await readPositions(db);
  const found = await Promise.all(groups.map(async ({ group, topic }) => {
    const noted = new Map(
      positions.filter((one) => one.group === group && one.topic === topic)
        .map((one) => [one.partition, one.committed]),
    );
    return (await events.lag(group, topic)).map(({ partition, committed, end }) => ({
      ...{ topic, partition, end },
      known: Math.max(committed, noted.get(partition) ?? 0),
    }));
  }));
  return found.flat().filter(({ end, known }) => known > end);
}

/**
 * Compares an event log outside of PostgreSQL with the positions that PostgreSQL noted, and with what this process has
 * published, and refuses one that lacks records. To be called before anything is served, and every ten seconds by one process.
 */
export async function compareLog(deps: Deps & Pick<Context, "clock">): Promise<void> {
  if (!deps.events.refuse) return;
  const lost = await missingForLong(deps);
  if (lost.length > 0) await refuseLog(deps.db, lost);
  await heedMissing(deps);
}

/**
 * Looks at which a partition must end too early, and milliseconds between them: a broker that has just become the leader of a
 * partition reports an old end for a moment.
 */
const looks = { count: 4, everyMs: 3_000 };

async function missingForLong(deps: Deps & Pick<Context, "clock">): Promise<LostRecords[]> {
  let lost = await missingRecords(deps);
  for (let look = 1; look < looks.count && lost.length > 0; look++) {
    await deps.clock.sleep(looks.everyMs);
    const still = await missingRecords(deps);
    lost = lost.filter((one) =>
      still.some(({ topic, partition }) => topic === one.topic && partition === one.partition)
    );
  }
  return lost;
}

/** Refuses the event log while a process has found that it lacks records, which no operator has accepted. */
async function heedMissing({ db, events }: Deps): Promise<void> {
  const lost = events.lost?.() ?? [];
  if (lost.length > 0) await refuseLog(db, lost);
  const [first, ...others] = await readMissing(db);
  events.refuse?.(first && missingText(first, others.length));
}

/** What is missing, and what to do about it. */
function missingText({ topic, partition, known }: LostRecords, others: number): string {
  const more = others === 0 ? "" : ` and ${others} more partitions`;
  return `Kafka has lost records that it acknowledged: partition ${partition} of ${topic}${more} ended before offset ` +
    `${known}. Put the former data back, or accept the loss with \`npm run failover -- accept\``;
}

/** Milliseconds between two looks at what other processes found missing. */
const lookEveryMs = 5_000;

/** Looks every five seconds whether the event log is refused. Returns a function that ends it. */
export function followLog(deps: Deps & Pick<Context, "clock" | "log">): () => Promise<void> {
  const { events, clock, log } = deps;
  if (!events.refuse) return () => Promise.resolve();
  const loop = new Loop({
    clock,
    stopMs: 1_000,
    retry: { initial: lookEveryMs, max: lookEveryMs },
    failed: (error) => log.debug("event log could not be compared", { error: messageOf(error) }),
    async round() {
      await heedMissing(deps);
      return lookEveryMs;
    },
  });
  void loop.start((error) => log.error("event log is no longer compared", { error }));
  return () => loop.stop();
}

/** Milliseconds between two attempts to read what the event log knows. */
const retryMs = 1_000;

/**
 * Compares PostgreSQL with the commits that consumers noted in an event log outside of it, and that log with the positions that
 * PostgreSQL noted, so that a process that starts after a failover refuses the one that is older. To be called before
 * anything is served.
 */
export async function compareWithLog(
  { events, db, log, clock }: Pick<Context, "events" | "db" | "log" | "clock">,
): Promise<void> {
  const { guard } = db;
  if (!events.notes || !guard) return;
  const read = () => Promise.all(groups.map(({ group, topic }) => events.notes!(group, topic)));
  const found = await retry(read, {
    attempts: 30,
    initial: retryMs,
    max: retryMs,
    retryable: () => true,
    onRetry: (error) => log.warn("waiting for the event log", { error }),
  });
  guard.recall(found.flat().map(decodeMark).filter((mark) => mark !== undefined));
  await compareLog({ db, events, clock }).catch((error) => {
    // PostgreSQL is refused or away; the log is compared as soon as it is back.
    log.warn("event log could not be compared with PostgreSQL", { error });
  });
}

/** Milliseconds between two notes; what is applied again after a failover. */
const noteEveryMs = 10_000;
const positionsLease = { name: "log-positions", ttlMs: 3 * noteEveryMs };

/** Milliseconds that the end of the process waits for a note. */
const stopMs = 1_000;

type NoteDeps = Pick<Context, "db" | "events" | "leases" | "clock" | "log">;

/**
 * Notes in PostgreSQL how far an event log outside of it has been consumed, so that after a failover to an older PostgreSQL
 * its consumers can continue from what that one holds. One process does. Returns a function that ends it.
 */
export function followPositions(deps: NoteDeps): () => Promise<void> {
  const { events, leases, clock, log, db: { guard } } = deps;
  if (!events.rewind || !guard) return () => Promise.resolve();
  let last = new Map<string, number>();
  const loop = new LeasedLoop({
    lease: positionsLease,
    leases,
    log,
    clock,
    stopMs,
    standbyMs: noteEveryMs,
    retry: { initial: noteEveryMs, max: noteEveryMs },
    failed: (error) => log.debug("positions could not be noted", { error: messageOf(error) }),
    async lead() {
      await compareLog(deps);
      last = await notePositionsOnce(deps, last);
      return noteEveryMs;
    },
    standBy: () => last.clear(),
  });
  void loop.start((error) => log.error("positions are no longer noted", { error }));
  return () => loop.stop();
}

const keyOf = ({ group, topic, partition }: LogPosition) => `${group}/${topic}/${partition}`;

/** Notes the positions that differ from the `last` ones, and returns all. */
export async function notePositionsOnce(
  { db, events }: Pick<NoteDeps, "db" | "events">,
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
