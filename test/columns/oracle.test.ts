import { afterAll, beforeAll, expect, it } from "vitest";
import { purgeDeleted } from "#services/housekeeping/purge.ts";
import {
  type Arrow,
  arrowsOf,
  catrnOf,
  columnJob,
  columnTable,
  type ColumnTestBed,
  columnWorld,
} from "#test/columns/world.ts";
import { type LineageQuery, type Model, names, walked } from "#test/columns/model.ts";
import { eventually } from "#test/support/eventually.ts";
import { seeded } from "#test/support/random.ts";
import { sized } from "#test/support/size.ts";

let at: ColumnTestBed;
beforeAll(async () => void (at = await columnWorld()));
afterAll(() => at.drop());

/** Histories to replay; more of them with TRIBUTARY_TEST_HISTORIES. */
const histories = Number(process.env.TRIBUTARY_TEST_HISTORIES ?? sized(3, 60));
const steps = 14;
const tables = 4;
const jobs = 3;

class Play {
  readonly model: Model = { declared: new Map(), deleted: new Set() };
  constructor(readonly prefix: string, readonly random: () => number) {}

  int = (n: number) => Math.floor(this.random() * n);
  table = () => `${this.prefix}t${this.int(tables)}`;
  job = () => `${this.prefix}j${this.int(jobs)}`;

  async begin(): Promise<void> {
    const all = Array.from({ length: tables }, (_, n) => `${this.prefix}t${n}`);
    await at.post(all.map((name) => columnTable(name, ...names)));
  }

  /** A column in any spelling, or a whole table. */
  #place(): string {
    const name = names[this.int(names.length)]!;
    if (this.random() < 0.15) return this.table();
    return `${this.table()}.${this.random() < 0.5 ? name.toUpperCase() : name}`;
  }

  async #declare(): Promise<void> {
    const job = this.job();
    const arrows = Array.from({ length: this.int(6) }, (): Arrow => {
      const sources = Array.from(
        { length: 1 + this.int(3) },
        () => `${this.#place()}${this.random() < 0.3 ? " ~" : ""}`,
      );
      return [this.#place(), ...sources];
    });
    await at.post([columnJob(job, arrows)]);
    this.model.deleted.delete(job);
    this.model.declared.set(
      job,
      arrows.flatMap(([target, ...sources]) =>
        sources.map((source) => ({
          source: source.replace(/ ~$/, "").toLowerCase(),
          target: target.toLowerCase(),
          indirect: source.endsWith(" ~"),
        }))
      ),
    );
  }

  async #toggle(name: string): Promise<void> {
    const { deleted } = this.model;
    if (name.includes("j") && !this.model.declared.has(name)) return;
    await at.setStatus(name, deleted.has(name) ? "STABLE" : "DELETED");
    if (!deleted.delete(name)) deleted.add(name);
  }

  async #repost(name: string): Promise<void> {
    await at.post([columnTable(name, ...names)]);
    this.model.deleted.delete(name);
  }

  async step(): Promise<void> {
    const turn = this.random();
    if (turn < 0.6) await this.#declare();
    else if (turn < 0.75) await this.#toggle(this.table());
    else if (turn < 0.88) await this.#toggle(this.job());
    else await this.#repost(this.table());
  }

  question(): LineageQuery {
    const root = this.table();
    const flag = () => this.random() < 0.5;
    const column = `${root}.${names[this.int(names.length)]!.toLowerCase()}`;
    return {
      root,
      columns: flag() ? [column] : [],
      downstream: flag(),
      depth: 1 + this.int(4),
      indirect: flag(),
      through: flag(),
    };
  }
}

/** What a walk told at a time, to be asked again once it is past. */
interface RecordedWalk {
  time: string;
  id: number;
  query: LineageQuery;
  /** Null when the dataset was deleted. */
  arrows: string[] | null;
}

const directionOf = ({ downstream }: LineageQuery) => downstream ? "downstream" : "upstream";

/** A time after all that was written, and before what will be: those of edges are stored in milliseconds. */
async function momentBetween(): Promise<string> {
  const clock = async () =>
    (await at.rows<{ at: string }>(
      "SELECT iso(date_trunc('milliseconds', clock_timestamp())) AS at",
    ))[0]!.at;
  const before = await clock();
  const time = await eventually(async () => {
    const now = await clock();
    expect(now > before).toBe(true);
    return now;
  });
  await eventually(async () => expect(await clock() > time).toBe(true));
  return time;
}

const wasPurged = async (id: number) =>
  (await at.rows("SELECT FROM entity_tombstone WHERE entity_id = $1", id)).length > 0;

/** Asks for the past. The structure of a dataset that was purged since is forgotten: only edges know its columns. */
async function expectUnchanged(
  { time, id, query, arrows }: RecordedWalk,
  seed: number,
): Promise<void> {
  const path = `/api/datasets/${id}/columns/lineage/${directionOf(query)}`;
  const answer = await at.api.get(`${path}?${queryOf(query)}&as_of=${time}`);
  const about = JSON.stringify({ seed, time, query });
  const forgotten = answer.json?.details?.[0]?.field === "columns" && await wasPurged(id);
  if (arrows === null || forgotten) {
    expect([about, answer.status]).toEqual([about, 404]);
    return;
  }
  expect([about, answer.status, answer.json.as_of]).toEqual([about, 200, time]);
  expect(arrowsOf(answer).map((arrow) => arrow.toLowerCase()).sort(), about).toEqual(arrows);
}

function queryOf({ columns, depth, indirect, through }: LineageQuery): string {
  const query = new URLSearchParams({
    lineage_depth: String(depth),
    include_indirect: String(indirect),
    through_datasets: String(through),
  });
  if (columns.length > 0) query.set("columns", columns[0]!.split(".")[1]!.toUpperCase());
  return query.toString();
}

it.each(Array.from({ length: histories }, (_, n) => n + 1))(
  "history %i of declarations, deletions and restorations, replayed in memory, gives every walk, then and later",
  async (seed) => {
    const past: RecordedWalk[] = [];
    const play = new Play(`o${seed}`, seeded(seed));
    await play.begin();
    for (let step = 0; step < steps; step++) {
      await play.step();
      const time = await momentBetween();
      for (let n = 0; n < 4; n++) {
        const query = play.question();
        const { root } = query;
        const id = await at.id(root);
        if (play.model.deleted.has(root)) {
          expect((await at.ask(root, directionOf(query), queryOf(query))).status).toBe(404);
          past.push({ time, id, query, arrows: null });
          continue;
        }
        const recorded = await at.walk(root, directionOf(query), queryOf(query));
        const arrows = recorded.map((arrow) => arrow.toLowerCase()).sort();
        expect(arrows, JSON.stringify({ seed, step, query })).toEqual(walked(play.model, query));
        past.push({ time, id, query, arrows });
      }
    }
    await purgeDeleted(at.db, new Date("2100-01-01T00:00:00.000Z"), 1_000);
    for (const recorded of past) await expectUnchanged(recorded, seed);
    const prefix = catrnOf(`o${seed}`);
    const wrong = await at.rows(
      `SELECT h.* FROM column_edge_history h JOIN data_entity e ON e.id = h.establisher_id
        WHERE starts_with(e.catrn, $1) AND h.until < h.since`,
      prefix,
    );
    expect(wrong).toEqual([]);
  },
);
