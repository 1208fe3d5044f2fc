import { setTimeout as pause } from "node:timers/promises";
import { percentile } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import { type EngineSet, startSubject, type Subject } from "../support/subject.ts";
import { type BaselineReader, startBareReader } from "./baseline-reader.ts";
import * as sql from "./queries.ts";
import { startTimingSink, type TimingSink } from "./sink.ts";

export interface AlertsSize {
  /** Number of alerts committed one by one, each after the previous one arrived. */
  idle: number;
  /** Number of alerts committed at once. */
  burst: number;
  /** Number of bursts; the median counts. */
  bursts: number;
}

export const alertsSizes = {
  small: { idle: 5, burst: 50, bursts: 1 },
  full: { idle: 200, burst: 1_000, bursts: 3 },
} as const satisfies Record<string, AlertsSize>;

const instance = "bench_alerts";
const arrivalWithinMs = 120_000;

/** Goal for p50: milliseconds more than the bare reader needs. */
const goals: Record<EngineSet, number> = { embedded: 50, distributed: 150 };

interface Stand {
  subject: Subject;
  sink: TimingSink;
  bare: BaselineReader;
}

/** Time from committing an alert's change to its arrival at a webhook, compared with a bare slot reader. */
export async function alertsBench(engines: EngineSet, size: AlertsSize): Promise<Row[]> {
  const sink = await startTimingSink();
  try {
    return await withSubject(engines, size, sink);
  } finally {
    await sink.stop();
  }
}

async function withSubject(engines: EngineSet, size: AlertsSize, sink: TimingSink) {
  const subject = await startSubject(engines, {
    env: {
      INSTANCE: instance,
      NOTIFICATIONS_ENABLED: "true",
      NOTIFICATIONS_RECEIVERS_WEBHOOK_URL: sink.url,
    },
  });
  try {
    const bare = await startBareReader(subject.db, subject.databaseUrl, `${instance}_alerts`);
    try {
      return await measure({ subject, sink, bare }, size);
    } finally {
      await bare.stop();
    }
  } finally {
    await subject.stop();
  }
}

async function measure(stand: Stand, size: AlertsSize): Promise<Row[]> {
  const rows = await stand.subject.db.query<{ id: number }>(sql.insertEntities, [size.burst]);
  const entities = rows.map(({ id }) => id);
  for (const id of entities.slice(0, 3)) await raise(stand, [id]);
  const idle = { ours: [] as number[], bare: [] as number[] };
  for (let n = 0; n < size.idle; n++) {
    const one = await raise(stand, [entities[n % entities.length]!]);
    idle.ours.push(...one.ours);
    idle.bare.push(...one.bare);
  }
  const bursts: Awaited<ReturnType<typeof raise>>[] = [];
  for (let n = 0; n < size.bursts; n++) bursts.push(await raise(stand, entities));
  return [...idleRows(stand, idle), ...burstRows(stand, bursts)];
}

/** Commits one alert per entity and waits for all of them; returns sorted milliseconds since the commit. */
async function raise(
  { subject, sink, bare }: Stand,
  entities: number[],
): Promise<{ ours: number[]; bare: number[] }> {
  const raised = await subject.db.query<{ id: number }>(sql.insertAlerts, [entities]);
  const committed = performance.now();
  const end = committed + arrivalWithinMs;
  const missing = (at: Map<number, number>) => raised.filter(({ id }) => !at.has(id)).length;
  while (missing(sink.arrivals) + missing(bare.arrivals) > 0) {
    if (performance.now() > end) {
      const [ours, bares] = [missing(sink.arrivals), missing(bare.arrivals)];
      throw new Error(`of ${raised.length} alerts, ${ours} did not arrive, ${bares} were not read`);
    }
    await pause(1);
  }
  const after = (at: Map<number, number>) =>
    raised.map(({ id }) => at.get(id)! - committed).sort((a, b) => a - b);
  return { ours: after(sink.arrivals), bare: after(bare.arrivals) };
}

function idleRows({ subject }: Stand, { ours, bare }: { ours: number[]; bare: number[] }): Row[] {
  const sorted = { ours: ours.sort((a, b) => a - b), bare: bare.sort((a, b) => a - b) };
  const base = { bench: "alerts", engines: subject.engines, unit: "ms" };
  const goal = goals[subject.engines];
  const at = (share: number) => ({
    // At least 0.1 ms: the reader may see the change before the client learns that the commit is done.
    yardstick: Math.max(0.1, percentile(sorted.bare, share)),
    ours: percentile(sorted.ours, share),
  });
  const p50 = at(0.5);
  return [
    row(
      { ...base, case: "idle, commit to webhook, p50", ...p50, goal: `yardstick + ${goal} ms` },
      (_, ours) => ours <= p50.yardstick + goal,
    ),
    row({ ...base, case: "idle, commit to webhook, p99", ...at(0.99), goal: "" }),
  ];
}

function burstRows(
  { subject }: Stand,
  bursts: { ours: number[]; bare: number[] }[],
): Row[] {
  const base = { bench: "alerts", engines: subject.engines };
  const last = bursts.toSorted((a, b) => a.ours.at(-1)! - b.ours.at(-1)!);
  const { ours, bare } = last[Math.floor(last.length / 2)]!;
  const name = `burst of ${ours.length}`;
  const pairOf = (share: number) => ({
    ours: percentile(ours, share),
    yardstick: Math.max(0.1, percentile(bare, share)),
  });
  const rate = (times: number[]) => times.length / (Math.max(1, times.at(-1)!) / 1_000);
  return [
    row({ ...base, unit: "ms", case: `${name}, commit to webhook, p50`, ...pairOf(0.5), goal: "" }),
    row({
      ...base,
      unit: "ms",
      case: `${name}, commit to webhook, p99`,
      ...pairOf(0.99),
      goal: "",
    }),
    row(
      {
        ...base,
        unit: "deliveries/s",
        case: name,
        ours: rate(ours),
        yardstick: rate(bare),
        goal: "≥ 200",
      },
      (_, rate) => rate >= 200,
    ),
  ];
}
