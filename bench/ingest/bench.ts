import { percentile, timed } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import { type EngineSet, startSubject, type Subject } from "../support/subject.ts";
import { type Batch, newBatch } from "./items.ts";
import { opened, post } from "./post.ts";
import { requireSameRows, type StraightWriter, straightWriter } from "./straight.ts";

export interface IngestSize {
  /** Entities per batch, the rounds measured with that size, and those before them that are not. */
  batches: { size: number; rounds: number; warmup: number }[];
  /** Data sources that post at the same time. */
  inFlight: number;
  /** Milliseconds after which no further round of a case is started. */
  budgetMs: number;
}

export const ingestSizes: Record<"small" | "full", IngestSize> = {
  small: {
    batches: [{ size: 1, rounds: 3, warmup: 1 }, { size: 50, rounds: 2, warmup: 1 }],
    inFlight: 2,
    budgetMs: 5_000,
  },
  full: {
    batches: [
      { size: 1, rounds: 60, warmup: 10 },
      { size: 100, rounds: 20, warmup: 5 },
      { size: 1_000, rounds: 9, warmup: 4 },
    ],
    inFlight: 4,
    budgetMs: 60_000,
  },
};

interface Bench {
  subject: Subject;
  straight: StraightWriter;
  sources: string[];
  rows: Row[];
  budgetMs: number;
}

/** Time from HTTP to visible in lineage, compared with writing the same rows straight into the stores. */
export async function ingestBench(engines: EngineSet, size: IngestSize): Promise<Row[]> {
  // Long enough for a busy machine: an answer that comes before the batch is visible measures nothing.
  const subject = await startSubject(engines, { env: { INGESTION_ACK_TIMEOUT: "60 s" } });
  const sources = Array.from({ length: size.inFlight }, (_, n) => `//bench/source_${n}`);
  await opened(subject, sources);
  const straight = await straightWriter(subject, sources);
  const bench: Bench = { subject, straight, sources, rows: [], budgetMs: size.budgetMs };
  try {
    for (const each of size.batches) {
      await measure(bench, each, 1);
      await measure(bench, each, size.inFlight);
    }
    await requireSameRows(subject.db, straight.db);
  } finally {
    await straight.close();
    await subject.stop();
  }
  return bench.rows;
}

interface Times {
  /** Milliseconds of each round, from the first byte of its batches to the last answer. */
  fresh: number[];
  repeated: number[];
  straight: number[];
}

let rounds = 0;

/** Measures in turn: rounds of new batches, the same batches again, and new ones written straight. */
async function measure(
  bench: Bench,
  { size, rounds: count, warmup }: IngestSize["batches"][number],
  inFlight: number,
): Promise<void> {
  const times: Times = { fresh: [], repeated: [], straight: [] };
  const end = performance.now() + bench.budgetMs;
  for (let n = -warmup; n < count && (n < 2 || performance.now() < end); n++) {
    const name = `round_${rounds++}`;
    const batches = bench.sources.slice(0, inFlight).map((source) => newBatch(source, name, size));
    const taken = await round(bench, batches);
    if (n < 0) continue;
    times.fresh.push(taken.fresh);
    times.repeated.push(taken.repeated);
    times.straight.push(taken.straight);
  }
  const sorted = (list: number[]) => percentile([...list].sort((a, b) => a - b), 0.5);
  const middle = {
    fresh: sorted(times.fresh),
    repeated: sorted(times.repeated),
    straight: sorted(times.straight),
  };
  report(bench, size, inFlight, middle);
}

async function round({ subject, straight }: Bench, batches: Batch[]) {
  const rows = await Promise.all(batches.map((batch) => straight.prepare(batch)));
  const all = (each: (batch: Batch) => Promise<void>) => () => Promise.all(batches.map(each));
  return {
    fresh: await timed(all((batch) => post(subject, batch))),
    straight: await timed(() => Promise.all(rows.map((batch) => straight.write(batch)))),
    repeated: await timed(all((batch) => post(subject, batch))),
  };
}

function report(
  bench: Bench,
  size: number,
  inFlight: number,
  ms: { fresh: number; repeated: number; straight: number },
): void {
  const engines = bench.subject.engines;
  const given = { bench: "ingest", engines, unit: "entities/s" };
  const rate = (time: number) => (size * inFlight * 1_000) / time;
  const flight = inFlight === 1 ? "alone" : `${inFlight} in flight`;
  if (size === 1 && inFlight === 1) {
    const limit = engines === "embedded" ? 50 : 150;
    const name = "one entity, from POST to visible, p50";
    const goal = `< ${limit} ms`;
    bench.rows.push(
      row({ ...given, unit: "ms", case: name, ours: ms.fresh, yardstick: ms.straight, goal }, (
        _,
        ours,
      ) => ours < limit),
    );
  }
  const hasGoal = size >= 1_000 && inFlight > 1;
  bench.rows.push(
    row({
      ...given,
      case: `batches of ${size}, new, ${flight}`,
      ours: rate(ms.fresh),
      yardstick: rate(ms.straight),
      goal: hasGoal ? "≥ 0.8 ×" : "",
    }, hasGoal ? (ratio) => ratio! >= 0.8 : undefined),
    row({
      ...given,
      case: `batches of ${size}, unchanged beside new, ${flight}`,
      ours: rate(ms.repeated),
      yardstick: rate(ms.fresh),
      goal: size >= 1_000 ? "≥ 3 ×" : "",
    }, size >= 1_000 ? (ratio) => ratio! >= 3 : undefined),
  );
}
