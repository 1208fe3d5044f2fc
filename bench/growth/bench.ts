import { maxChanges } from "#services/housekeeping/retention.queries.ts";
import { roleOf, treeOf } from "../idle/usage.ts";
import { opened, post } from "../ingest/post.ts";
import { layered } from "../lineage/graphs.ts";
import { load } from "../lineage/load.ts";
import { percentile, timed } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import { type EngineSet, startSubject, type Subject } from "../support/subject.ts";
import { growthBatch, words } from "./items.ts";
import { stretch } from "./stretch.ts";
import { type DatabaseState, databaseState, randomEntities } from "./queries.ts";

export interface GrowthSize {
  /** Entities at the first measurement, and at the last; in between at 3 and 10 times as many. */
  first: number;
  entities: number;
  /** Entities of a batch. */
  batch: number;
  /** Requests of each kind at a measurement. */
  runs: number;
}

export const growthSizes: Record<"small" | "full", GrowthSize> = {
  small: { first: 200, entities: 2_000, batch: 50, runs: 5 },
  full: { first: 100_000, entities: 10_000_000, batch: 1_000, runs: 60 },
};

const sources = Array.from({ length: 4 }, (_, n) => `//bench/growth_${n}`);
/** Rounds of which the median is the rate. */
const ratedRounds = 20;
/** Every so many rounds an earlier batch comes again, changed and unchanged. */
const repeatEvery = 5;

/** What was measured when the catalogue had so many entities. */
interface Measured extends DatabaseState {
  entities: number;
  /** New entities a second, four sources in flight; and a CPU second of program and PostgreSQL. */
  rate: number;
  cpuRate: number;
  searchP50: number;
  searchP95: number;
  /** Of the first page of what a search found. */
  resultsP50: number;
  resultsP95: number;
  lineageP50: number;
  randomLineageP95: number;
  mainMb: number;
  postgresMb: number;
  /** CPU seconds of program and PostgreSQL for 100,000 new entities. */
  mainCpu: number;
  postgresCpu: number;
}

/**
 * A catalogue that grows: at each size the same batches and questions, beside those of the first size. In between rows are written
 * straight into the metadata store, as batches would leave them, since ten million entities by HTTP take many hours.
 */
export async function growthBench(engines: EngineSet, size: GrowthSize): Promise<Row[]> {
  const subject = await startSubject(engines, { env: { INGESTION_ACK_TIMEOUT: "120 s" } });
  try {
    await opened(subject, sources);
    const projected = engines === "distributed";
    const probe = (await load(subject.db, "probe", layered(800), projected))[0]!;
    const growth = new Growth(subject, size, probe);
    const measured: Measured[] = [];
    for (const entities of checkpoints(size)) {
      measured.push(await growth.to(entities));
      console.error(JSON.stringify(measured.at(-1)));
    }
    return measured.flatMap((each) => rowsOf(engines, each, measured[0]!));
  } finally {
    await subject.stop();
  }
}

/** 100,000, 300,000, 1,000,000 and so on, up to the last. */
export function checkpoints({ first, entities }: GrowthSize): number[] {
  const found: number[] = [];
  for (
    let [at, factor] = [first, 3];
    at < entities;
    at *= factor, factor = factor === 3 ? 10 / 3 : 3
  ) {
    found.push(Math.round(at));
  }
  return [...found, entities];
}

class Growth {
  #round = 0;
  #entities = 0;
  #written = 0;

  constructor(
    private readonly subject: Subject,
    private readonly size: GrowthSize,
    private readonly probe: number,
  ) {}

  /** Grows to so many entities, and measures. */
  async to(entities: number): Promise<Measured> {
    const { batch } = this.size;
    const rounds = Math.min(ratedRounds, Math.ceil(entities / 2 / (sources.length * batch)));
    const more = entities - this.#entities - rounds * sources.length * batch;
    if (more > 0) {
      await stretch(this.subject.db, this.#written + 1, this.#written + more);
      this.#written += more;
      this.#entities += more;
    }
    const before = this.#used();
    const times: number[] = [];
    let fresh = 0;
    for (let n = 0; n < rounds; n++) {
      times.push(await this.#ingest());
      fresh += sources.length * batch;
    }
    const after = this.#used();
    const cpu = after.mainCpu + after.postgresCpu - before.mainCpu - before.postgresCpu;
    const rate = sources.length * batch * 1_000 / percentile(times.sort((a, b) => a - b), 0.5);
    const answers = await this.#questions();
    const state = await databaseState(this.subject.db);
    const used = {
      ...after,
      mainCpu: (after.mainCpu - before.mainCpu) * 1e5 / fresh,
      postgresCpu: (after.postgresCpu - before.postgresCpu) * 1e5 / fresh,
    };
    return { ...state, entities: this.#entities, rate, cpuRate: fresh / cpu, ...answers, ...used };
  }

  /** Milliseconds of a round of new batches; now and then an earlier batch follows, changed and unchanged. */
  async #ingest(): Promise<number> {
    const round = this.#round++;
    const { batch } = this.size;
    const bodies = sources.map((source) => growthBatch(source, round, batch));
    const ms = await timed(() => Promise.all(bodies.map((body) => post(this.subject, body))));
    this.#entities += sources.length * batch;
    if (round % repeatEvery === repeatEvery - 1) {
      const earlier = Math.floor(Math.random() * round);
      await post(this.subject, growthBatch(sources[0]!, earlier, batch, true));
      await post(this.subject, growthBatch(sources[1]!, earlier, batch));
    }
    return ms;
  }

  async #questions() {
    const { runs } = this.size;
    const start = (query: string) => this.#ask("POST", "/api/search", { query, filters: {} });
    const search = (query: string) => () => start(query);
    const two = words.map((word, n) => `${word} ${words[(n * 7 + 3) % words.length]}`);
    const queries = [...words, ...two];
    const searches = queries.map(search);
    const pages = [];
    for (const query of queries) {
      const { search_id } = JSON.parse(await start(query)) as { search_id: string };
      pages.push(() => this.#ask("GET", `/api/search/${search_id}/results?page=1&size=30`));
    }
    const lineage = (id: number) => () =>
      this.#ask("GET", `/api/dataentities/${id}/lineage/downstream?lineage_depth=20`);
    const random = await randomEntities(this.subject.db, runs);
    const searched = await timesOf(searches, runs);
    const listed = await timesOf(pages, runs);
    return {
      resultsP50: percentile(listed, 0.5),
      resultsP95: percentile(listed, 0.95),
      searchP50: percentile(searched, 0.5),
      searchP95: percentile(searched, 0.95),
      lineageP50: percentile(await timesOf([lineage(this.probe)], runs), 0.5),
      randomLineageP95: percentile(await timesOf(random.map(lineage), runs), 0.95),
    };
  }

  async #ask(method: string, path: string, body?: unknown): Promise<string> {
    const response = await fetch(new URL(path, this.subject.url), {
      method,
      headers: { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  }

  #used() {
    const tree = treeOf(this.subject.pid);
    const sum = (role: ReturnType<typeof roleOf>, of: "cpuSeconds" | "rssMb" | "pssMb") =>
      tree.filter((one) => roleOf(one) === role).reduce((all, one) => all + one[of], 0);
    return {
      mainMb: sum("main", "rssMb"),
      postgresMb: sum("postgres", "pssMb"),
      mainCpu: sum("main", "cpuSeconds"),
      postgresCpu: sum("postgres", "cpuSeconds"),
    };
  }
}

/** Milliseconds of each run, sorted, after some that are not measured. */
async function timesOf(work: (() => Promise<unknown>)[], runs: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = -3; n < runs; n++) {
    const ms = await timed(work[(n + 3) % work.length]!);
    if (n >= 0) times.push(ms);
  }
  return times.sort((a, b) => a - b);
}

type PlainRow = (what: string, unit: string, ours: number) => Row;

function rowsOf(engines: EngineSet, at: Measured, first: Measured): Row[] {
  const given = { bench: "growth", engines };
  const name = (what: string) => `${what}, ${at.entities.toLocaleString("en")} entities`;
  const plain: PlainRow = (what, unit, ours) =>
    row({ ...given, case: name(what), unit, ours, yardstick: null, goal: "" });
  const ofFirst = { goal: "≥ 0.8 × the first", ...given };
  return [
    row({
      ...ofFirst,
      case: name("new entities"),
      unit: "entities/s",
      ours: at.rate,
      yardstick: first.rate,
    }, (ratio) => ratio! >= 0.8),
    row({
      ...ofFirst,
      case: name("new entities a CPU second"),
      unit: "entities",
      ours: at.cpuRate,
      yardstick: first.cpuRate,
    }, (ratio) => ratio! >= 0.8),
    row({
      ...given,
      case: name("search, p95"),
      unit: "ms",
      ours: at.searchP95,
      yardstick: first.searchP95,
      goal: "≤ 150 ms",
      note: `p50 ${at.searchP50.toFixed(0)} ms`,
    }, (_, ours) => ours <= 150),
    row({
      ...given,
      case: name("first page of results, p95"),
      unit: "ms",
      ours: at.resultsP95,
      yardstick: first.resultsP95,
      goal: "≤ 150 ms",
      note: `p50 ${at.resultsP50.toFixed(0)} ms`,
    }, (_, ours) => ours <= 150),
    row({
      ...given,
      case: name("lineage of one graph, p50"),
      unit: "ms",
      ours: at.lineageP50,
      yardstick: first.lineageP50,
      goal: "≤ 1.3 × the first",
    }, (ratio) => ratio! <= 1.3),
    plain("lineage of random entities, p95", "ms", at.randomLineageP95),
    row({
      ...given,
      case: name("dead rows, worst table"),
      unit: "share",
      ours: at.dead_share,
      yardstick: null,
      goal: "≤ 0.25",
      note: `${at.dead_table}, ${at.autovacuums} autovacuums`,
    }, (_, ours) => ours <= 0.25),
    ...resourceRows(at, plain),
  ];
}

/** What it takes on disk, in memory and of the CPU. */
function resourceRows(at: Measured, plain: PlainRow): Row[] {
  const gb = 1e9;
  const bound = `of at most ${maxChanges.toLocaleString("en")} and what ten minutes add`;
  return [
    plain(`rows of the feed of changes, ${bound}`, "rows", at.changes),
    plain("metadata on disk", "GB", (at.bytes - at.log_bytes) / gb),
    plain("packaged event log on disk", "GB", at.log_bytes / gb),
    plain("memory of the program", "MB", at.mainMb),
    plain("memory of PostgreSQL", "MB", at.postgresMb),
    plain("CPU of the program, each 100,000", "s", at.mainCpu),
    plain("CPU of PostgreSQL, each 100,000", "s", at.postgresCpu),
  ];
}
