import { setTimeout as pause } from "node:timers/promises";
import { percentile, timed } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import { freePort } from "../../tools/engines/process.mjs";
import { type EngineSet, startSubject, type Subject } from "../support/subject.ts";
import { type Payload, payloads } from "./payloads.ts";
import * as sql from "./queries.ts";
import { Yardstick } from "./yardstick.ts";

export interface TracesSize {
  /** Spans per round, and number of rounds; the median counts. */
  spans: number;
  rounds: number;
  /** Number of different calls in the case with many edges. */
  edges: number;
  soakMs: number;
}

export const tracesSizes = {
  small: { spans: 2_000, rounds: 1, edges: 2_000, soakMs: 3_000 },
  full: { spans: 100_000, rounds: 5, edges: 1_000_000, soakMs: 600_000 },
} as const satisfies Record<string, TracesSize>;

/** Concurrent requests of the sender, as from a fleet of exporters. */
const senders = 8;
const usualEdges = 1_000;
const reflectedWithinMs = 600_000;

interface Stand {
  subject: Subject;
  yardstick: Yardstick;
  url: string;
}

/** Spans from OTLP/HTTP to the log and on to service edges, compared with bare decoding and producing. */
export async function tracesBench(engines: EngineSet, size: TracesSize): Promise<Row[]> {
  const port = String(await freePort());
  const subject = await startSubject(engines, { env: { TRACES_HTTP_PORT: port } });
  try {
    const yardstick = await Yardstick.open(subject);
    const stand = { subject, yardstick, url: `http://127.0.0.1:${port}/v1/traces` };
    try {
      const rows: Row[] = [];
      for (const batch of [100, 1_000]) rows.push(...await throughput(stand, size, batch));
      rows.push(...await soak(stand, size.soakMs));
      rows.push(...await manyEdges(stand, size.edges));
      return rows;
    } finally {
      await yardstick.close();
    }
  } finally {
    await subject.stop();
  }
}

async function throughput(stand: Stand, size: TracesSize, batch: number): Promise<Row[]> {
  const requests = () => payloads(size.spans / batch, batch, usualEdges);
  await stand.yardstick.run(payloads(4, batch, usualEdges));
  await reflected(stand, await sent(stand, payloads(4, batch, usualEdges)));
  const rounds: Record<keyof Rates, number>[] = [];
  for (let n = 0; n < size.rounds; n++) {
    const sample = requests();
    const bare = await stand.yardstick.run(sample);
    const before = stand.subject.cpuSeconds();
    const begun = performance.now();
    const end = await sent(stand, sample);
    const accepted = performance.now() - begun;
    const core = (stand.subject.cpuSeconds() - before) * 1_000;
    await reflected(stand, end);
    const both = (stand.subject.cpuSeconds() - before) * 1_000;
    rounds.push({ accepted, reflected: performance.now() - begun, bare, core, both });
  }
  const rate = (pick: (round: (typeof rounds)[number]) => number) =>
    size.spans / (percentile(rounds.map(pick).sort((a, b) => a - b), 0.5) / 1_000);
  return throughputRows(stand.subject.engines, batch, {
    accepted: rate((r) => r.accepted),
    reflected: rate((r) => r.reflected),
    bare: rate((r) => r.bare),
    core: rate((r) => r.core),
    both: rate((r) => r.both),
  });
}

/** Spans per second. `core` and `both`: per CPU second of the process, until accepted and until counted. */
type Rates = Record<"accepted" | "reflected" | "bare" | "core" | "both", number>;

function throughputRows(
  engines: EngineSet,
  batch: number,
  rates: Rates,
): Row[] {
  const base = { bench: "traces", engines, unit: "spans/s" };
  const name = `batches of ${batch}`;
  const sharedNote = "all of Tributary and its database share the cores with the sender";
  return [
    row(
      {
        ...base,
        case: `${name}, accepted over HTTP`,
        ours: rates.accepted,
        yardstick: rates.bare,
        goal: "≥ 0.60",
        note: sharedNote,
      },
      (ratio) => ratio! >= 0.6,
    ),
    row(
      {
        ...base,
        case: `${name}, accepted a core-second of the process`,
        ours: rates.core,
        yardstick: null,
        goal: "≥ 30,000",
        note: "counting gives way meanwhile",
      },
      (_, ours) => ours >= 30_000,
    ),
    row({
      ...base,
      case: `${name}, reflected in edges`,
      ours: rates.reflected,
      yardstick: rates.bare,
      goal: "",
    }),
    row({
      ...base,
      case: `${name}, reflected a core-second of the process`,
      ours: rates.both,
      yardstick: null,
      goal: "",
    }),
  ];
}

/** Sends all requests; resolves with the number of spans that the workers will have read in total. */
async function sent({ subject, url }: Stand, requests: Payload[]): Promise<number> {
  const before = await counted(subject);
  const queue = [...requests];
  await Promise.all(Array.from({ length: senders }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await send(url, next);
  }));
  return before + requests.reduce((spans, request) => spans + request.spans, 0);
}

async function send(url: string, { body }: Payload): Promise<void> {
  for (;;) {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/x-protobuf" },
      body,
      signal: AbortSignal.timeout(60_000),
    });
    await response.arrayBuffer();
    if (response.ok) return;
    if (![429, 503].includes(response.status)) throw new Error(`OTLP: ${response.status}`);
    await pause(Number(response.headers.get("retry-after") ?? 1) * 1_000);
  }
}

async function counted(subject: Subject): Promise<number> {
  const [counts] = await subject.db.query<{ read: number }>(sql.reflected);
  return counts!.read;
}

async function reflected({ subject }: Stand, read: number): Promise<void> {
  const end = performance.now() + reflectedWithinMs;
  while (await counted(subject) < read) {
    if (performance.now() > end) throw new Error("not all spans were counted in time");
    await pause(10);
  }
}

/** Sends half of the maximum rate for a while, to see whether memory use stays constant. */
async function soak(stand: Stand, forMs: number): Promise<Row[]> {
  const sample = () => payloads(10, 500, usualEdges);
  await reflected(stand, await sent(stand, sample()));
  const seen: number[] = [];
  const end = performance.now() + forMs;
  let busy = 0;
  while (performance.now() < end) {
    const requests = sample();
    const took = await timed(() => sent(stand, requests));
    busy++;
    seen.push(stand.subject.rssMb());
    await pause(took);
  }
  const third = Math.max(1, Math.floor(seen.length / 3));
  const median = (part: number[]) => percentile(part.toSorted((a, b) => a - b), 0.5);
  const given = {
    bench: "traces",
    engines: stand.subject.engines,
    case: `memory, last third of ${(forMs / 60_000).toPrecision(2)} min beside the middle third`,
    unit: "MB",
    ours: median(seen.slice(-third)),
    yardstick: median(seen.slice(third, 2 * third + 1)),
    goal: "≤ 1.10",
    note: `${busy * 5_000} spans`,
  };
  return [row(given, (ratio) => ratio! <= 1.1)];
}

/** Makes every call a new edge, to see whether the worker keeps its limits. */
async function manyEdges(stand: Stand, edges: number): Promise<Row[]> {
  const batch = 2_000;
  let peak = 0;
  let read = 0;
  const watch = setInterval(() => peak = Math.max(peak, stand.subject.rssMb()), 100);
  const ms = await timed(async () => {
    for (let done = 0; done < edges;) {
      const sample = payloadsFrom(done, Math.min(edges - done, 20_000), batch);
      read = await sent(stand, sample);
      done += sample.reduce((spans, { spans: n }) => spans + n, 0) / 2;
      await reflected(stand, read);
    }
  }).finally(() => clearInterval(watch));
  const [counts] = await stand.subject.db.query<{ edges: number }>(sql.edges);
  const base = { bench: "traces", engines: stand.subject.engines, yardstick: null };
  return [
    row(
      {
        ...base,
        case: `${edges.toLocaleString("en")} different calls, edges held`,
        unit: "edges",
        ours: counts!.edges,
        goal: `≥ ${edges.toLocaleString("en")}`,
      },
      (_, ours) => ours >= edges,
    ),
    row({
      ...base,
      case: "the same, new edges a second",
      unit: "edges/s",
      ours: edges / (ms / 1_000),
      goal: "",
    }),
    row(
      { ...base, case: "the same, peak memory", unit: "MB", ours: peak, goal: "≤ 1,500 MB" },
      (_, ours) => ours <= 1_500,
    ),
  ];
}

function payloadsFrom(first: number, edges: number, batch: number): Payload[] {
  return payloads(Math.ceil((edges * 2) / batch), batch, Number.MAX_SAFE_INTEGER, first);
}
