import { afterAll, beforeAll, expect, it } from "vitest";
import { composedBatches, ingestionGroup } from "#contract/topics.ts";
import type { Context } from "#platform/context.ts";
import type { EngineSet } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";
import { seeded } from "#test/support/random.ts";
import { killed } from "./killed.ts";
import { type ServiceStack, startServices } from "./openlineage-stack.ts";
import { Poster } from "./producer.ts";

/** Clients that post at the same time about the same tables. */
const clients = 3;
const tables = 60;
const kills = 20;

/** What was last observed of a table, each aspect with the time at which it was. */
interface Table {
  name?: { at: number; value: string };
  removed?: { at: number; value: boolean };
  upstream?: { at: number; value: number | null };
}

const path = "/integrations/datahub/aspects?action=ingestProposalBatch";
const urnOf = (n: number) => `urn:li:dataset:(urn:li:dataPlatform:sqlite,main.t${n},PROD)`;
const catrnOf = (n: number) => `//datahub/platforms/sqlite/datasets/main.t${n}`;

/**
 * Every service that aspects pass is killed while clients post: storing, publishing, applying, removing. The seed of a
 * failing run is in the test's name; `FAULTS_SEED` runs it again.
 */
export function datahubFaults(set: EngineSet): void {
  let stack: ServiceStack;
  beforeAll(async () => {
    stack = await startServices(set, ["api", "datahub", "ingest-consumer"]);
  });
  afterAll(() => stack?.close());

  const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 100_000));
  it(`killed amid aspects: what was observed last counts, once, and the catalogue shows it (seed ${seed})`, async () => {
    const { processes, observer } = stack;
    const over = new AbortController();
    const random = seeded(seed);
    const posting = postAspects(processes.get("api")!.url, seed, over.signal);
    const killing = Promise.all([...processes.values()].map((one) => killed(one, kills, random)));
    await Promise.race([posting, killing]);
    over.abort();
    const { model, posts } = await posting;
    await settled(observer);
    expect(await shown(observer)).toEqual(expectedOf(model));
    expect(posts).toBeGreaterThan(0);
    for (const one of processes.values()) {
      expect(one.ends(), one.output().slice(-20).join("\n")).toBe(0);
    }
  });
}

/** Posts random aspects, some twice, each body until it is stored; resolves with what was observed last. */
async function postAspects(
  url: string,
  seed: number,
  until: AbortSignal,
): Promise<{ model: Table[]; posts: number }> {
  const poster = new Poster([url]);
  const begun = Date.now() - 3_600_000;
  const model: Table[] = Array.from({ length: tables }, () => ({}));
  let [posts, observed] = [0, 0];
  await Promise.all(Array.from({ length: clients }, async (_, client) => {
    const random = seeded(seed * 1_000 + client);
    while (!until.aborted) {
      const proposals = Array.from(
        { length: 10 },
        () => observe(model, random, begun + observed++),
      );
      const again = random() < 0.3;
      await poster.post(path, { proposals });
      if (again) await poster.post(path, { proposals: proposals.toReversed() });
      posts++;
    }
  }));
  return { model, posts };
}

/** Observes something of a table. */
function observe(model: Table[], random: () => number, at: number) {
  const n = Math.floor(random() * tables);
  const what = random();
  if (what < 0.4) {
    const value = `t${n} of ${at}`;
    model[n]!.name = { at, value };
    return proposal(n, "datasetProperties", { name: value }, at);
  }
  if (what < 0.7) {
    const value = random() < 0.3 ? null : Math.floor(random() * tables);
    model[n]!.upstream = { at, value };
    const upstreams = value === null ? [] : [{ dataset: urnOf(value), type: "TRANSFORMED" }];
    return proposal(n, "upstreamLineage", { upstreams }, at);
  }
  const value = random() < 0.3;
  model[n]!.removed = { at, value };
  return proposal(n, "status", { removed: value }, at);
}

function proposal(n: number, aspectName: string, value: unknown, at: number) {
  return {
    entityUrn: urnOf(n),
    entityType: "dataset",
    changeType: "UPSERT",
    aspectName,
    aspect: { value: JSON.stringify(value), contentType: "application/json" },
    systemMetadata: { lastObserved: at, runId: "faults" },
  };
}

/** Live tables with their names, and what they are made from. */
function expectedOf(model: Table[]): string[] {
  return model.flatMap(({ name, removed, upstream }, n) => {
    if (removed?.value || (!name && !upstream)) return [];
    const parent = upstream?.value ?? null;
    const from = parent === null || parent === n ? "" : catrnOf(parent);
    return [`${catrnOf(n)} = ${name?.value ?? `t${n}`} < ${from}`];
  }).sort();
}

async function shown({ db }: Context): Promise<string[]> {
  const rows = await db.query<{ line: string }>(
    `SELECT e.catrn || ' = ' || e.external_name || ' < ' || coalesce((
              SELECT string_agg(p.catrn, ',') FROM lineage_edge l JOIN data_entity p ON p.id = l.parent_id
               WHERE l.establisher_id = e.id AND l.child_id = e.id), '') AS line
       FROM data_entity e
      WHERE starts_with(e.catrn, '//datahub/platforms/sqlite/') AND NOT e.hollow AND is_live(e.status)`,
  );
  return rows.map(({ line }) => line).sort();
}

const waiting = `
  SELECT 'dirty' AS what WHERE EXISTS (SELECT FROM dh_entity WHERE dirty > 0)
   UNION ALL SELECT 'leaving' WHERE EXISTS (SELECT FROM dh_leaving)
   UNION ALL SELECT 'followers' WHERE EXISTS (SELECT FROM dh_follower)`;

/** Waits until every stored aspect has had its effect in the catalogue. Nobody helps. */
async function settled({ db, events }: Context): Promise<void> {
  const state = async () => ({
    waiting: (await db.query<{ what: string }>(waiting)).map(({ what }) => what),
    unapplied: (await events.lag(ingestionGroup, composedBatches))
      .reduce((sum, { lag }) => sum + lag, 0),
  });
  await eventually(async () => {
    const { waiting, unapplied } = await state();
    if (unapplied + waiting.length > 0) throw new Error("there is something to do");
  }, { within: 240_000, describe: state });
}
