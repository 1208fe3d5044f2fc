import { type AspectFixture, tablesOf } from "./aspects.ts";
import { send } from "./sender.ts";
import { storeByHand } from "./yardstick.ts";
import { newBatch } from "../ingest/items.ts";
import { opened, post } from "../ingest/post.ts";
import { besideFlood, type FloodSize } from "../support/flood.ts";
import { percentile, timed } from "../support/measure.ts";
import { firstEntityMissing } from "../support/missing.queries.ts";
import { type Row, row } from "../support/report.ts";
import { type EngineSet, startSubject, type Subject } from "../support/subject.ts";
import { allOf } from "../support/until.ts";

export interface DatahubSize {
  /** Tables of a round, six aspects each. */
  tables: number;
  rounds: number;
  flood: FloodSize & { tables: number };
}

export const datahubSizes: Record<"small" | "full", DatahubSize> = {
  small: { tables: 20, rounds: 1, flood: { tables: 20, batches: 2, rounds: 1 } },
  full: { tables: 3_000, rounds: 5, flood: { tables: 3_000, batches: 60, rounds: 3 } },
};

/** Aspects from HTTP to the catalogue, beside the same tables as a collector posts them, and what a flood costs collectors. */
export async function datahubBench(engines: EngineSet, size: DatahubSize): Promise<Row[]> {
  const subject = await startSubject(engines, { env: { INGESTION_ACK_TIMEOUT: "120 s" } });
  try {
    await opened(subject, [source]);
    const rows = await throughput(subject, size);
    const { tables } = size.flood;
    rows.push(
      ...await besideFlood(subject, size.flood, {
        bench: "datahub",
        what: `${tables * 6} aspects of ${tables} tables`,
        async post(round) {
          const fixture = tablesOf(`flood_${round}`, tables);
          await send(subject, fixture.proposals);
          await visible(subject, fixture);
        },
      }),
    );
    return rows;
  } finally {
    await subject.stop();
  }
}

const source = "//bench/tables";

const visible = (subject: Subject, { entities }: AspectFixture) =>
  allOf(subject, firstEntityMissing, entities);

/** Milliseconds of one round. */
interface Times {
  accepted: number;
  visible: number;
  /** The same aspects once more, which change nothing. */
  again: number;
  /** The yardsticks: rows of aspects written by hand, and as many tables of a collector until they are visible. */
  written: number;
  collected: number;
}

async function throughput(subject: Subject, { tables, rounds }: DatahubSize): Promise<Row[]> {
  const taken: Times[] = [];
  for (let n = -1; n < rounds; n++) {
    const times = await round(subject, n < 0 ? Math.min(tables, 100) : tables, n + 1);
    if (n >= 0) taken.push(times); // the first warms up
  }
  const rate = (name: keyof Times, each: number) =>
    (tables * each * 1_000) /
    percentile(taken.map((times) => times[name]).sort((a, b) => a - b), 0.5);
  const of = (
    name: string,
    [ours, yardstick]: [keyof Times, keyof Times],
    each: number,
    min?: number,
  ) =>
    row({
      bench: "datahub",
      engines: subject.engines,
      case: name,
      unit: each === 1 ? "entities/s" : "aspects/s",
      ours: rate(ours, each),
      yardstick: rate(yardstick, each),
      goal: min === undefined ? "" : `≥ ${min.toLocaleString("en")}/s`,
    }, min === undefined ? undefined : (_, figure) => figure >= min);
  return [
    of("accepted, beside their rows written by hand", ["accepted", "written"], 6, 1_000),
    of("visible, beside tables of a collector", ["visible", "collected"], 1, 300),
    of("unchanged, accepted once more", ["again", "written"], 6),
  ];
}

async function round(subject: Subject, tables: number, n: number): Promise<Times> {
  const fixture = tablesOf(`round_${n}`, tables);
  const written = await timed(() => storeByHand(subject, fixture.proposals));
  const collected = await timed(() => post(subject, newBatch(source, `round_${n}`, tables)));
  const begun = performance.now();
  await send(subject, fixture.proposals);
  const accepted = performance.now() - begun;
  await visible(subject, fixture);
  const seen = performance.now() - begun;
  const again = await timed(() => send(subject, fixture.proposals));
  return { accepted, visible: seen, again, written, collected };
}
