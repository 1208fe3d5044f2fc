import { afterAll, beforeAll, expect, it } from "vitest";
import { readFile } from "node:fs/promises";
import { ns, pg, run, shownBy, tableOf } from "../testing/catalogue.ts";
import { type EventInput, type Harness, harness } from "../testing/harness.ts";
import { seeded } from "#test/support/random.ts";
import { shuffled } from "../testing/random-events.ts";

let h: Harness;
beforeAll(async () => void (h = await harness()));
afterAll(() => h.drop());
const { statusOf } = shownBy(() => h);

const named = (namespace: string, name: string, facets: EventInput = {}) => ({
  namespace: pg(namespace),
  name: `shop.public.${name}`,
  facets,
});
const renamedFrom = (namespace: string, name: string) => ({
  lifecycleStateChange: {
    lifecycleStateChange: "RENAME",
    previousIdentifier: { namespace: pg(namespace), name: `shop.public.${name}` },
  },
});

/** A day with a live table, and a night in which a fresh one takes its place; each with its time. */
function eventsOf(namespace: string, start: number): EventInput[] {
  const table = (name: string, facets?: EventInput) => named(namespace, name, facets);
  const given: EventInput[] = [
    { name: "build", inputs: [table("src")], outputs: [table("t")] },
    { name: "report", inputs: [table("t")], outputs: [table("rep")] },
    { name: "build", inputs: [table("src")], outputs: [table("new_t")] },
    { name: "swap", outputs: [table("old_t", renamedFrom(namespace, "t"))] },
    { name: "swap", outputs: [table("t", renamedFrom(namespace, "new_t"))] },
    {
      name: "drop",
      outputs: [table("old_t", { lifecycleStateChange: { lifecycleStateChange: "DROP" } })],
    },
    { name: "report", inputs: [table("t")], outputs: [table("rep")] },
  ];
  return given.map((event, n) =>
    run(namespace, "COMPLETE", {
      ...event,
      n: n + 1,
      eventTime: new Date(start - 600_000 + n * 10_000).toISOString(),
    })
  );
}

const idOf = async (catrn: string) =>
  (await h.rows<{ id: number }>(
    "SELECT id FROM data_entity WHERE catrn = $1 AND NOT hollow AND is_live(status)",
    catrn,
  ))[0]?.id;

const reached = async (from: string) =>
  (await h.rows<{ catrn: string }>(
    `WITH RECURSIVE r AS (
       SELECT id FROM data_entity WHERE catrn = $1
       UNION SELECT l.child_id FROM r JOIN lineage_edge l ON l.parent_id = r.id AND l.live)
     SELECT catrn FROM data_entity JOIN r USING (id) WHERE catrn LIKE '%/tables/%' ORDER BY catrn`,
    from,
  )).map(({ catrn }) => catrn.split("/").at(-1));

async function expectSwapped(namespace: string): Promise<void> {
  const catrn = (name: string) => tableOf(namespace, name);
  expect(await idOf(catrn("t"))).toBeDefined();
  for (const gone of ["old_t", "new_t"]) {
    expect([gone, await idOf(catrn(gone))]).toEqual([gone, undefined]);
  }
  expect(await reached(catrn("src"))).toEqual(["rep", "src", "t"]);
}

it("a live table that is swapped stays itself, with what feeds and reads it", async () => {
  const namespace = ns();
  const events = eventsOf(namespace, h.clock.at);
  await h.take(...events.slice(0, 2));
  const id = await idOf(tableOf(namespace, "t"));
  for (const event of events.slice(2)) await h.take(event);
  await h.take();
  await expectSwapped(namespace);
  expect(await idOf(tableOf(namespace, "t"))).toBe(id);
  expect((await statusOf(tableOf(namespace, "old_t")))[0]).toMatchObject({ status: "false" });
});

it("so it does in whatever order and however often the events come", async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const namespace = ns();
    const events = eventsOf(namespace, h.clock.at);
    for (const chunk of shuffled(seeded(seed), events)) await h.take(...chunk);
    await h.take();
    await expectSwapped(namespace);
  }
});

it("a swap that an earlier release took in is put right by the schema", async () => {
  const namespace = ns();
  const events = eventsOf(namespace, h.clock.at);
  await h.take(...events);
  const [old, live, fresh] = ["old_t", "t", "new_t"].map((name) => tableOf(namespace, name)) as [
    string,
    string,
    string,
  ];
  // As they stood: what has a new name tells the old one, whatever became of that.
  await h.rows("DELETE FROM ol_alias_link WHERE kind = 'rename'");
  for (const [by, from, at] of [[old, live, 3], [live, fresh, 4]] as const) {
    await h.rows(
      "INSERT INTO ol_alias_link (by, from_key, to_key, kind, t, h) VALUES ($1, $1, $2, 'name', $3, '')",
      by,
      from,
      h.clock.at - 600_000 + at * 10_000,
    );
  }
  await h.rows(
    `UPDATE ol_dataset SET state = (state::jsonb - 'moved' - 'arrived' - 'linked')::text, dirty = 0
      WHERE key = ANY($1)`,
    [old, live, fresh],
  );
  const script = await readFile("metadata/schema/0041_renamed_datasets.sql", "utf8");
  const statements = script.replaceAll(/^--.*$/gm, "").split(";");
  for (const statement of statements) if (statement.trim() !== "") await h.rows(statement);
  await h.take();
  await expectSwapped(namespace);
  const links = await h.rows(
    "SELECT from_key, to_key, kind FROM ol_alias_link WHERE by = ANY($1)",
    [old, live, fresh],
  );
  expect(links).toEqual([{ from_key: live, to_key: fresh, kind: "rename" }]);
});
