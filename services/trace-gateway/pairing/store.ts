import { createHash } from "node:crypto";
import { bisectBatch } from "#kit/bisect.ts";
import { classify, type Database, type Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { accounts, type SpanAccounting } from "./pairing.ts";
import type { EdgeDelta, Slot } from "./observations.ts";
import { mergeEdges, mergeWindows } from "./edges.queries.ts";

/** How far a partition was counted, and what a worker needs to go on from there. */
export interface Checkpoint {
  nextOffset: number;
  /** Milliseconds since the epoch. */
  time: number;
  replay: Mark;
  /** Which facts wait, as `encodePositions` writes them. */
  positions: Uint8Array;
}

/** Another worker has moved the checkpoint: what this one believes of the partition is out of date. */
export class StaleEpochError extends Error {
  constructor(partition: number) {
    super(`partition ${partition} of the log of spans is counted by another worker`);
    this.name = "Fenced";
  }
}

/** The checkpoint of a partition with its accounts; null before its first record. */
export async function findCheckpoint(
  db: Database,
  partition: number,
): Promise<(Checkpoint & { accounts: SpanAccounting }) | null> {
  const [row] = await db.query(loadCheckpoint, [partition]);
  if (!row) return null;
  return {
    nextOffset: row.next_offset,
    time: row.stream_time,
    replay: { offset: row.replay_offset, time: row.replay_time },
    positions: row.positions,
    accounts: Object.fromEntries(
      accounts.map((name) => [name, row[name]]),
    ) as unknown as SpanAccounting,
  };
}

/** Makes the checkpoint of a partition whose first record is at `offset`, unless there is one. */
export async function createCheckpoint(db: Database, partition: number, offset: number) {
  await db.query(beginCheckpoint, [partition, offset]);
}

/** Restarts at `offset` of a log that was replaced; what waited is expired. */
export async function restartCheckpoint(
  db: Database,
  partition: number,
  offset: number,
  from: Checkpoint,
): Promise<void> {
  await db.query(resetCheckpoint, [partition, offset, from.nextOffset]);
}

const rowsPerStatement = 5_000;

/**
 * Adds what a run of records came to and moves the checkpoint on, both or neither. An edge that the
 * store will never take is left out, and returned with the cause. Throws `StaleEpochError` when the checkpoint is
 * not at `from` any more.
 */
export async function commit(
  db: Database,
  partition: number,
  from: number,
  to: Checkpoint & { gained: SpanAccounting },
  deltas: EdgeDelta[],
): Promise<RefusedEdge[]> {
  const keyed = deltas.map((delta) => ({ key: identityOf(delta), delta }));
  keyed.sort((a, b) => a.key.compare(b.key));
  const refused: RefusedEdge[] = [];
  const write = (mergeRows: (tx: Transaction, rows: KeyedDelta[]) => Promise<void>) =>
    retryingTransaction(db, async (tx) => {
      refused.length = 0;
      await move(tx, partition, from, to);
      for (let at = 0; at < keyed.length; at += rowsPerStatement) {
        await mergeRows(tx, keyed.slice(at, at + rowsPerStatement));
      }
    });
  await write(merge).catch((error) => {
    if (classify(error) !== "permanent") throw error;
    return write((tx, rows) => mergeBisected(tx, rows, refused));
  });
  return refused;
}

interface RefusedEdge {
  edge: EdgeDelta["edge"];
  error: unknown;
}

async function move(
  tx: Transaction,
  partition: number,
  from: number,
  to: Checkpoint & { gained: SpanAccounting },
): Promise<void> {
  const moved = await tx.query(moveCheckpoint, [
    partition,
    from,
    to.nextOffset,
    to.time,
    to.replay.offset,
    to.replay.time,
    to.positions,
    ...accounts.map((name) => to.gained[name]),
  ]);
  if (moved.length === 0) throw new StaleEpochError(partition);
}

/** Merges what can be merged, each try within a savepoint. */
function mergeBisected(tx: Transaction, rows: KeyedDelta[], refused: RefusedEdge[]): Promise<void> {
  return bisectBatch(rows, {
    async work(some) {
      await tx.query("SAVEPOINT merging");
      try {
        await merge(tx, some);
      } catch (error) {
        await tx.query("ROLLBACK TO SAVEPOINT merging");
        throw error;
      }
      await tx.query("RELEASE SAVEPOINT merging");
    },
    isPoison: (error) => classify(error) === "permanent",
    refuse({ delta: { edge } }, error) {
      refused.push({ edge, error });
      return Promise.resolve();
    },
  });
}

interface KeyedDelta {
  key: ReturnType<typeof identityOf>;
  delta: EdgeDelta;
}

async function merge(tx: Transaction, rows: KeyedDelta[]): Promise<void> {
  const columns = [
    rows.map((row) => row.key),
    ...edgeColumns.map((of) => rows.map((row) => of(row.delta))),
  ];
  const stored = await tx.query(mergeEdges, columns);
  const ids = new Map(stored.map(({ key, id }) => [key.toHex(), id]));
  const slots = rows.flatMap(({ key, delta }) =>
    [...delta.slots].map(([at, slot]) => ({ id: ids.get(key.toHex())!, at, slot }))
  );
  for (let at = 0; at < slots.length; at += rowsPerStatement) {
    await mergeSlots(tx, slots.slice(at, at + rowsPerStatement));
  }
}

async function mergeSlots(
  tx: Transaction,
  rows: { id: number; at: number; slot: Slot }[],
): Promise<void> {
  const sorted = rows.map(({ slot }) => [...slot.buckets].sort(([a], [b]) => a - b));
  await tx.query(mergeWindows, [
    rows.map(({ id }) => id),
    rows.map(({ at }) => at),
    rows.map(({ slot }) => slot.calls),
    rows.map(({ slot }) => slot.errors),
    sorted.map((buckets) => `{${buckets.map(([bucket]) => bucket).join()}}`),
    sorted.map((buckets) => `{${buckets.map(([, count]) => count).join()}}`),
  ]);
}

/** In the order of the statement's parameters. */
const edgeColumns: ((delta: EdgeDelta) => unknown)[] = [
  ({ edge }) => edge.kind,
  ({ edge }) => edge.service?.namespace,
  ({ edge }) => edge.service?.name,
  ({ edge }) => edge.service?.version,
  ({ edge }) => edge.peer?.kind,
  ({ edge }) => edge.peer?.namespace,
  ({ edge }) => edge.peer?.name,
  ({ edge }) => edge.peer?.version,
  ({ edge }) => edge.operation,
  ({ edge }) => edge.data?.system,
  ({ edge }) => edge.data?.address,
  ({ edge }) => edge.data?.database,
  ({ edge }) => edge.data?.target,
  ({ edge }) => edge.data?.access,
  ({ calls }) => calls,
  ({ errors }) => errors,
  ({ firstSeen }) => firstSeen,
  ({ lastSeen }) => lastSeen,
];

function identityOf({ edge: { kind, service, peer, operation, data } }: EdgeDelta) {
  const identity = [
    kind,
    service && [service.namespace, service.name],
    peer && [peer.kind, peer.namespace, peer.name],
    operation,
    data && [data.system, data.address, data.database, data.target, data.access],
  ];
  return createHash("sha256").update(JSON.stringify(identity)).digest();
}

/** The offset of a record, and the time of its partition before it. */
interface Mark {
  offset: number;
  time: number;
}

/**
 * Knows from where a partition has to be read again to remember all that matters: the offset that
 * stands twice the window before its time. A few marks are enough, since reading more does no harm.
 */
export class Marks {
  readonly #marks: Mark[];

  constructor(private readonly windowMs: number, first: Mark) {
    this.#marks = [first];
  }

  /** A record at `offset` is about to be taken, at `time` of the partition. */
  pass(offset: number, time: number): void {
    if (time - this.#marks.at(-1)!.time >= this.windowMs / 8) this.#marks.push({ offset, time });
  }

  /** Where to begin, for a partition whose time is `time`. */
  replayFrom(time: number): Mark {
    while (this.#marks[1] && this.#marks[1].time <= time - 2 * this.windowMs) this.#marks.shift();
    return this.#marks[0]!;
  }
}

const columns = `
  next_offset, stream_time, replay_offset, replay_time, positions,
  read, paired, standalone, expired, duplicate, irrelevant, waiting`;

type CheckpointRow = SpanAccounting & {
  next_offset: number;
  stream_time: number;
  replay_offset: number;
  replay_time: number;
  positions: Uint8Array;
};

/** $1 partition. */
const loadCheckpoint = statement<CheckpointRow>("span-checkpoint-load")`
  SELECT ${columns} FROM span_checkpoint WHERE partition = $1`;

/** $1 partition, $2 first offset. */
const beginCheckpoint = statement("span-checkpoint-begin")`
  INSERT INTO span_checkpoint
    (partition, next_offset, stream_time, replay_offset, replay_time, positions)
  VALUES ($1, $2, 0, $2, 0, '') ON CONFLICT DO NOTHING`;

/**
 * Moves the checkpoint of a partition on, if it still stands where this worker left it ($2); no row
 * otherwise. $8 to $14 are what the accounts gained.
 */
const moveCheckpoint = statement("span-checkpoint")`
  UPDATE span_checkpoint SET
    next_offset = $3, stream_time = $4, replay_offset = $5, replay_time = $6, positions = $7,
    read = read + $8, paired = paired + $9, standalone = standalone + $10,
    expired = expired + $11, duplicate = duplicate + $12, irrelevant = irrelevant + $13,
    waiting = waiting + $14, changed_at = now()
  WHERE partition = $1 AND next_offset = $2
  RETURNING partition`;

/** Restarts in a recreated log: $1 partition, $2 first offset, $3 previous offset. */
const resetCheckpoint = statement("span-checkpoint-reset")`
  UPDATE span_checkpoint SET
    next_offset = $2, stream_time = 0, replay_offset = $2, replay_time = 0, positions = '',
    expired = expired + waiting, waiting = 0, changed_at = now()
  WHERE partition = $1 AND next_offset = $3`;
