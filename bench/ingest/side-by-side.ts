import { percentile, timed } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import { type EngineSet, startSubject, type Subject } from "../support/subject.ts";
import { type Batch, newBatch } from "./items.ts";
import { opened, post } from "./post.ts";

export interface ConcurrentRunOptions {
  engines: EngineSet;
  /** Directory of another checkout, with its packages installed. */
  checkout: string;
  /** Entities per batch. */
  size: number;
  rounds: number;
  /** Data sources that post at the same time. */
  inFlight: number;
}

interface Side {
  subject: Subject;
  fresh: number[];
  repeated: number[];
}

/** Posts new batches to this checkout and another one in turn; measures time and disk space of each. */
export async function sideBySideBench(options: ConcurrentRunOptions): Promise<Row[]> {
  const sources = Array.from({ length: options.inFlight }, (_, n) => `//bench/source_${n}`);
  const sides: Side[] = [];
  try {
    for (const checkout of [undefined, options.checkout]) {
      const env = { INGESTION_ACK_TIMEOUT: "60 s" };
      const subject = await startSubject(options.engines, { env, ...(checkout && { checkout }) });
      sides.push({ subject, fresh: [], repeated: [] });
      await opened(subject, sources);
    }
    for (let n = -1; n < options.rounds; n++) {
      const batches = sources.map((source) => newBatch(source, `round_${n + 1}`, options.size));
      // The order alternates, so that neither checkout always runs second on a warmer machine.
      for (const side of n % 2 === 0 ? sides : [...sides].reverse()) {
        const times = await posted(side.subject, batches);
        if (n < 0) continue; // to warm up
        side.fresh.push(times.fresh);
        side.repeated.push(times.repeated);
      }
    }
    return await report(options, sides[0]!, sides[1]!);
  } finally {
    for (const { subject } of sides) await subject.stop();
  }
}

async function posted(subject: Subject, batches: Batch[]) {
  const all = () => Promise.all(batches.map((batch) => post(subject, batch)));
  return { fresh: await timed(all), repeated: await timed(all) };
}

async function report(options: ConcurrentRunOptions, ours: Side, theirs: Side): Promise<Row[]> {
  const { engines, size, inFlight } = options;
  const given = { bench: "beside", engines, goal: "", unit: "entities/s" };
  const rate = (times: number[]) =>
    (size * inFlight * 1_000) / percentile([...times].sort((a, b) => a - b), 0.5);
  const flight = inFlight === 1 ? "alone" : `${inFlight} in flight`;
  const [bytes, before] = [await bytesEach(ours.subject), await bytesEach(theirs.subject)];
  return [
    row({
      ...given,
      case: `batches of ${size}, new, ${flight}`,
      ours: rate(ours.fresh),
      yardstick: rate(theirs.fresh),
    }),
    row({
      ...given,
      case: `batches of ${size}, unchanged, ${flight}`,
      ours: rate(ours.repeated),
      yardstick: rate(theirs.repeated),
    }),
    row({
      ...given,
      unit: "bytes/entity",
      case: "tables and indexes on disk",
      ours: bytes,
      yardstick: before,
    }),
  ];
}

/** Bytes on disk per entity, without the event log in PostgreSQL. */
async function bytesEach({ db }: Subject): Promise<number> {
  const [found] = await db.query<{ bytes: number }>(
    `SELECT (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
              WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
                AND relname NOT LIKE 'log\\_%')::float8 / (SELECT count(*) FROM data_entity) AS bytes`,
  );
  return found!.bytes;
}
