import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type EventInput, type Harness, harness } from "./testing/harness.ts";
import { seeded } from "#test/support/random.ts";
import { shuffled } from "./testing/random-events.ts";

const folder = "test/cases/openlineage-compatibility";

/** What the catalogue holds of a scenario, by CATRN. */
interface Outcome {
  datasets: Record<string, { type: string; columns: number }>;
  jobs: Record<string, { type: string; inputs: string[]; outputs: string[]; runs: string[] }>;
  /** `source -> target`, each a dataset and a column, and whether the value is passed on or only influences. */
  columns: string[];
  warnings: string[];
}

const expected: Record<string, Outcome> = parse(readFileSync(`${folder}/expected.yaml`, "utf8"));

const eventsOf = (scenario: string) =>
  readFileSync(`${folder}/${scenario}.ndjson`, "utf8").trim().split("\n")
    .map((line) => JSON.parse(line) as EventInput);

let h: Harness;
afterEach(() => h.drop());

describe.each(Object.keys(expected))("the scenario %s", (scenario) => {
  it("comes to what is documented", async () => {
    h = await harness();
    await h.take(...eventsOf(scenario));
    expect(await outcome()).toEqual(expected[scenario]);
  });

  it("comes to the same in another order, in chunks and repeated", async () => {
    h = await harness();
    const events = eventsOf(scenario);
    for (const chunk of shuffled(seeded(7), [...events, ...events])) await h.merge(...chunk);
    await h.take();
    await h.take();
    expect(await outcome()).toEqual(expected[scenario]);
  });
});

async function outcome(): Promise<Outcome> {
  return {
    datasets: Object.fromEntries(await datasets()),
    jobs: Object.fromEntries(await jobs()),
    columns: (await h.rows<{ edge: string }>(
      `SELECT s.catrn || ' ' || sc.path || ' -> ' || t.catrn || ' ' || tc.path
              || CASE c.kind WHEN 0 THEN ' (direct)' ELSE ' (indirect)' END AS edge
         FROM column_edge c JOIN dataset_column sc ON sc.id = c.source_id
         JOIN data_entity s ON s.id = sc.dataset_id JOIN dataset_column tc ON tc.id = c.target_id
         JOIN data_entity t ON t.id = tc.dataset_id WHERE c.live`,
    )).map(({ edge }) => edge).sort(),
    warnings: (await h.rows<{ text: string }>(
      `SELECT namespace || ' ' || name || ': ' || reason AS text FROM openlineage_complaint ORDER BY 1`,
    )).map(({ text }) => text),
  };
}

async function datasets() {
  const rows = await h.rows<{ catrn: string; type: string; columns: number }>(
    `SELECT e.catrn, t.name AS type,
            (SELECT count(*)::int FROM latest_fields(ARRAY[e.id])) AS columns
       FROM data_entity e JOIN entity_type t ON t.id = e.type_id
      WHERE NOT e.hollow AND is_live(e.status) AND t.name NOT IN ('JOB', 'DAG')
      ORDER BY e.catrn`,
  );
  return rows.map(({ catrn, ...dataset }) => [catrn, dataset] as const);
}

async function jobs() {
  const side = (one: string, other: string) =>
    `ARRAY(SELECT o.catrn FROM lineage_edge l JOIN data_entity o ON o.id = l.${other}
            WHERE l.${one} = e.id AND l.live ORDER BY 1)`;
  const rows = await h.rows<{ catrn: string } & Outcome["jobs"][string]>(
    `SELECT e.catrn, t.name AS type, ${side("child_id", "parent_id")} AS inputs,
            ${side("parent_id", "child_id")} AS outputs,
            ARRAY(SELECT r.status FROM task_run r WHERE r.task_id = e.id
                   ORDER BY r.start_time, r.catrn) AS runs
       FROM data_entity e JOIN entity_type t ON t.id = e.type_id
      WHERE NOT e.hollow AND is_live(e.status) AND t.name IN ('JOB', 'DAG') ORDER BY e.catrn`,
  );
  return rows.map(({ catrn, ...job }) => [catrn, job] as const);
}
