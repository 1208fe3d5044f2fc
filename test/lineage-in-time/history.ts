import { type Harness, job, table } from "#services/ingest-consumer/testing/harness.ts";
import { purgeDeleted, sweepHollow } from "#services/housekeeping/purge.ts";
import type { TestApi } from "#test/support/http/api.ts";
import { type CatalogueState, Model } from "./model.ts";

/** A step of a history, with the first and the last moment (ms) at which the catalogue says that it changed something. */
export interface Step {
  what: string;
  first: number;
  last: number;
  after: CatalogueState;
}

export interface History {
  /** Steps that changed something, in order; no two overlap. */
  steps: Step[];
  /** Every id that was given. */
  ids: number[];
  began: number;
  ended: number;
}

const far = new Date("2100-01-01T00:00:00.000Z");

/**
 * Tells a catalogue, by the ways that users and collectors have, `count` random things, and a model of it the same. The
 * names of one history are its own; other histories must not run at the same time.
 */
export async function lived(
  at: Harness,
  api: TestApi,
  prefix: string,
  count: number,
  random: () => number,
): Promise<History> {
  const model = new Model();
  const steps: { what: string; from: number; to: number; after: CatalogueState }[] = [];
  const ids = new Set<number>();
  const began = await clock(at);
  for (let n = 0; n < count; n++) {
    await at.db.query("SELECT pg_sleep(0.004)");
    const from = await clock(at);
    const what = await step(at, api, model, prefix, random);
    steps.push({ what, from, to: await clock(at), after: model.state() });
    for (const { id } of model.known.values()) ids.add(id);
    await agree(at, model, prefix, what);
  }
  await at.db.query("SELECT pg_sleep(0.004)");
  const ended = await clock(at);
  return { steps: await withMoments(at, steps, began), ids: [...ids], began, ended };
}

async function clock(at: Harness): Promise<number> {
  const [row] = await at.rows<{ ms: number }>(
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms",
  );
  return row!.ms;
}

async function step(
  at: Harness,
  api: TestApi,
  model: Model,
  prefix: string,
  random: () => number,
): Promise<string> {
  const one = <T>(list: T[]): T | undefined => list[Math.floor(random() * list.length)];
  const some = (names: string[]) => names.filter(() => random() < 0.3);
  const jobs = Array.from({ length: 5 }, (_, n) => `${prefix}/j${n}`);
  const tables = Array.from({ length: 7 }, (_, n) => `${prefix}/t${n}`);
  const whole = (deleted: boolean) =>
    [...model.known].filter(([, e]) => !e.hollow && e.deleted === deleted).map(([name]) => name);
  const setStatus = async (name: string | undefined, deleted: boolean) => {
    if (name === undefined) return "nothing";
    const { id } = model.known.get(name)!;
    const status = { status: { status: deleted ? "DELETED" : "STABLE" } };
    await api.put(`/api/dataentities/${id}/statuses`, status);
    model.setDeleted(name, deleted);
    return `${deleted ? "delete" : "restore"} ${name}`;
  };
  const kind = random();
  if (kind < 0.45) {
    const [name, inputs, outputs] = [one(jobs)!, some([...tables, ...jobs]), some(tables)];
    await at.post([job(name, inputs, outputs)]);
    const idOf = await idsBy(at);
    model.post(name, inputs, outputs, idOf);
    return `job ${name}`;
  }
  if (kind < 0.6) {
    const name = one(tables)!;
    await at.post([table(name)]);
    model.post(name, [], [], await idsBy(at));
    return `table ${name}`;
  }
  if (kind < 0.75) return await setStatus(one(whole(false)), true);
  if (kind < 0.85) return await setStatus(one(whole(true)), false);
  if (kind < 0.95) {
    await purgeDeleted(at.db, far, 1_000);
    model.purge();
    return "purge";
  }
  await sweepHollow(at.db, far, 0, 1_000);
  model.sweep();
  return "sweep";
}

async function idsBy(at: Harness): Promise<(name: string) => number> {
  const rows = await at.rows<{ id: number; catrn: string }>("SELECT id, catrn FROM data_entity");
  const ids = new Map(rows.map(({ id, catrn }) => [catrn, id]));
  return (name) => ids.get(name)!;
}

/** Fails where the catalogue holds something else than the model: then what follows would prove nothing. */
async function agree(at: Harness, model: Model, prefix: string, what: string): Promise<void> {
  const rows = await at.rows<{ entity: string }>(
    `SELECT concat_ws(' ', catrn, id, hollow, status = 5) AS entity FROM data_entity
      WHERE starts_with(catrn, $1) ORDER BY catrn`,
    `${prefix}/`,
  );
  const expected = [...model.known].map(([name, { id, hollow, deleted }]) =>
    `${name} ${id} ${hollow ? "t" : "f"} ${deleted ? "t" : "f"}`
  ).sort();
  const found = rows.map(({ entity }) => entity);
  if (found.join() !== expected.join()) {
    throw new Error(`after ${what}: the catalogue holds ${found}, the model ${expected}`);
  }
}

/** Every moment that the catalogue wrote down. */
const moments = `
  SELECT DISTINCT (extract(epoch FROM at) * 1000)::float8 AS ms FROM (
    SELECT since AS at FROM lineage_edge UNION ALL
    SELECT unnest(ARRAY[since, until]) FROM lineage_edge_history UNION ALL
    SELECT unnest(ARRAY[since, until]) FROM entity_deletion UNION ALL
    SELECT created_at FROM data_entity UNION ALL
    SELECT unnest(ARRAY[created_at, purged_at]) FROM entity_tombstone) all_of_them
   WHERE at IS NOT NULL ORDER BY ms`;

async function withMoments(
  at: Harness,
  steps: { what: string; from: number; to: number; after: CatalogueState }[],
  began: number,
): Promise<Step[]> {
  const all = (await at.rows<{ ms: number }>(moments)).map(({ ms }) => ms)
    .filter((ms) => ms >= began);
  return steps.flatMap(({ what, from, to, after }) => {
    // Times are stored to the millisecond, rounded.
    const within = all.filter((ms) => ms >= from - 1 && ms <= to + 1);
    if (within.length === 0) return [];
    return [{ what, first: within[0]!, last: within.at(-1)!, after }];
  });
}
