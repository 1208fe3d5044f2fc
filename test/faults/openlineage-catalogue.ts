import { expect } from "vitest";
import type { Database } from "#metadata/postgres/database.ts";
import type { Item } from "#services/openlineage/mapper/item.ts";

const root = "//openlineage/namespaces/";

/** Expects that the catalogue shows what events are composed to: all jobs and datasets, no other, and their runs. */
export async function expectShown(db: Database, items: Map<string, Item>): Promise<void> {
  const all = [...items.values()];
  const named = all.filter((item) => item.dataset ?? item.data_transformer);
  expect(await shown(db)).toEqual(sorted(named.map(({ catrn, name }) => `${catrn} = ${name}`)));
  expect(await edges(db)).toEqual(sorted(all.flatMap(edgesOf)));
  expect(await members(db)).toEqual(sorted(all.flatMap(membersOf)));
  const fields = await fieldsOf(db);
  for (const { catrn, dataset } of all) {
    const names = sorted((dataset?.field_list ?? []).map(({ name }) => name));
    if (dataset) expect([catrn, fields.get(catrn) ?? []]).toEqual([catrn, names]);
  }
  const statuses = await runs(db);
  for (const item of all) {
    const status = (item.data_transformer_run ?? item.data_quality_test_run)?.status;
    if (status) expect([item.catrn, statuses.get(item.catrn)]).toEqual([item.catrn, status]);
  }
}

const sorted = (texts: string[]) => [...texts].sort();

async function shown(db: Database): Promise<string[]> {
  const rows = await db.query<{ catrn: string; name: string }>(
    `SELECT catrn, external_name AS name FROM data_entity
      WHERE starts_with(catrn, $1) AND NOT hollow AND is_live(status)
        AND strpos(catrn, '/tests/openlineage/') = 0`,
    [root],
  );
  return sorted(rows.map(({ catrn, name }) => `${catrn} = ${name}`));
}

function edgesOf({ catrn, data_transformer }: Item): string[] {
  const { inputs = [], outputs = [] } = data_transformer ?? {};
  return [
    ...inputs.map((input) => `${catrn}: ${input} > ${catrn}`),
    ...outputs.map((output) => `${catrn}: ${catrn} > ${output}`),
  ];
}

async function edges(db: Database): Promise<string[]> {
  const rows = await db.query<{ edge: string }>(
    `SELECT est.catrn || ': ' || p.catrn || ' > ' || c.catrn AS edge FROM lineage_edge l
       JOIN data_entity est ON est.id = l.establisher_id
       JOIN data_entity p ON p.id = l.parent_id JOIN data_entity c ON c.id = l.child_id
      WHERE strpos(est.catrn, '/jobs/') > 0`,
  );
  return sorted(rows.map(({ edge }) => edge));
}

const membersOf = ({ catrn, data_entity_group }: Item) =>
  (data_entity_group?.entities_list ?? []).map((member) => `${catrn}: ${member}`);

async function members(db: Database): Promise<string[]> {
  const rows = await db.query<{ member: string }>(
    `SELECT g.catrn || ': ' || m.catrn AS member FROM group_member x
       JOIN data_entity g ON g.id = x.group_id JOIN data_entity m ON m.id = x.member_id`,
  );
  return sorted(rows.map(({ member }) => member));
}

/** The names of the fields of each dataset, as its newest version has them. */
async function fieldsOf(db: Database): Promise<Map<string, string[]>> {
  const rows = await db.query<{ catrn: string; names: string[] }>(
    `SELECT e.catrn, array_agg(f.name) AS names FROM data_entity e
       JOIN dataset_version v ON v.dataset_id = e.id
        AND v.version = (SELECT max(version) FROM dataset_version WHERE dataset_id = e.id)
       JOIN dataset_field f ON f.id = ANY (v.field_ids) GROUP BY e.catrn`,
  );
  return new Map(rows.map(({ catrn, names }) => [catrn, sorted(names)]));
}

async function runs(db: Database): Promise<Map<string, string>> {
  const rows = await db.query<{ catrn: string; status: string }>(
    "SELECT catrn, status FROM task_run",
  );
  return new Map(rows.map(({ catrn, status }) => [catrn, status]));
}
