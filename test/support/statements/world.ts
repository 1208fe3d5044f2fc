import type { Database } from "#metadata/postgres/database.ts";
import { bindUser } from "#test/support/http/caller.ts";
import { seedMarks } from "#test/support/statements/marks.ts";
import { seedDescribedFields } from "#test/support/seed/seed-described.ts";
import { seedVersion } from "#test/support/seed/seed-dataset.ts";
import { seedTermAmong } from "#test/support/statements/terms.ts";
import { seedAlert, seedEntity, seedNamespace, seedSource } from "#test/support/seed/seed.ts";

/** Things with as many things around them as `n` says: fields, tags, members, alerts, … */
export interface StatementWorld {
  n: number;
  /** Sets this world's names apart from others'. */
  name: string;
  /** Who owns the members of the group. */
  user: string;
  source: number;
  sourceCatrn: string;
  namespace: number;
  /** A table with `n` of everything that a table has. */
  dataset: number;
  catrn: string;
  fields: number[];
  /** The newest version, and the one before. */
  versions: [number, number];
  /** A group made by hand; its members are also the inputs of `job`. */
  group: number;
  groupCatrn: string;
  members: number[];
  catrns: string[];
  job: number;
  alert: number;
  tags: number[];
  /** Linked with the fields and members, and with as many terms. */
  term: number;
  /** A query example that is attached to the members. */
  example: number;
}

const serial = "generate_series(1, $2) n";

/** Makes a world in a database, beside others. */
export async function seedWorld(db: Database, n: number): Promise<StatementWorld> {
  const name = `world ${n}`;
  const namespace = await seedNamespace(db, name);
  const sourceCatrn = `//world/${n}`;
  const source = await seedSource(db, { catrn: sourceCatrn, name, namespace: name });
  const catrn = `//world/${n}/dataset`;
  const dataset = await seedEntity(db, { catrn, name, sourceId: source });
  const fields = await seedDescribedFields(db, dataset, n);
  const older = await seedVersion(db, dataset, 2, fields.slice(1));
  for (let version = 3; version <= n; version++) await seedVersion(db, dataset, version, fields);
  const newest = await seedVersion(db, dataset, n + 1, fields);
  const members = await seedMembers(db, name, source, n);
  const catrns = members.map((_, at) => `//member/${name}/${at + 1}`);
  const groupCatrn = `//world/${n}/group`;
  const group = await seedEntity(db, { catrn: groupCatrn, name, type: "DOMAIN", manual: true });
  const attributes = { data_transformer: { inputs: catrns, outputs: catrns } };
  const job = await seedEntity(db, { name: `job ${n}`, type: "JOB", sourceId: source, attributes });
  const user = `user ${n}`;
  const alert = await seedAlert(db, dataset, { chunks: Array.from({ length: n }, () => "skewed") });
  const world = {
    n,
    name,
    user,
    source,
    sourceCatrn,
    namespace,
    dataset,
    catrn,
    fields,
    group,
    groupCatrn,
    members,
    catrns,
  };
  await seedLinks(db, { ...world, owner: await bindUser(db, user, user), job });
  const tags = await seedAround(db, name, dataset, n);
  const example = await seedMarks(db, world);
  const term = await seedTermAmong(db, { ...world, tags });
  await db.query("SELECT refresh_search_documents(ARRAY(SELECT id FROM data_entity))");
  return { ...world, versions: [newest, older], job, alert, tags, example, term };
}

async function seedMembers(db: Database, name: string, source: number, n: number) {
  const rows = await db.query<{ id: number }>(
    `INSERT INTO data_entity (catrn, external_name, type_id, class_ids, data_source_id, last_ingested_at)
     SELECT '//member/' || $1::text || '/' || n, $1 || ' member ' || n, 1, '{1}', $3, now()
       FROM ${serial} RETURNING id`,
    [name, n, source],
  );
  return rows.map(({ id }) => id);
}

/** Members, edges, tests, runs, relationships and ownerships. */
async function seedLinks(
  db: Database,
  w: {
    group: number;
    job: number;
    dataset: number;
    members: number[];
    owner: number;
    name: string;
  },
) {
  const each = "unnest($1::bigint[]) m";
  const all: [string, ...unknown[]][] = [
    [`INSERT INTO group_member SELECT $2, m, 'MANUAL' FROM ${each}`, w.group],
    [`INSERT INTO group_member SELECT m, $2, 'MANUAL' FROM ${each}`, w.dataset],
    [
      `INSERT INTO lineage_edge (establisher_id, parent_id, child_id) SELECT $2, m, $2 FROM ${each}`,
      w.job,
    ],
    [
      `INSERT INTO lineage_edge (establisher_id, parent_id, child_id) SELECT m, m, $2 FROM ${each}`,
      w.dataset,
    ],
    [`INSERT INTO dataset_column (dataset_id, path, folded) SELECT m, 'a', 'a' FROM ${each}`],
    [
      `INSERT INTO column_edge (establisher_id, source_id, target_id, kind, source_dataset, target_dataset)
       SELECT $2, c.id, whole_dataset($3), 0, m, $3 FROM ${each} JOIN dataset_column c ON c.dataset_id = m`,
      w.job,
      w.dataset,
    ],
    [`INSERT INTO test_dataset (test_id, dataset_id) SELECT m, $2 FROM ${each}`, w.dataset],
    [`INSERT INTO ownership (entity_id, owner_id) SELECT m, $2 FROM ${each}`, w.owner],
    [`INSERT INTO alert (entity_id, type, status) SELECT m, 1, 1 FROM ${each}`],
    [
      `INSERT INTO task_run (catrn, task_id, kind, name, start_time, status, received_at, batch)
       SELECT '//run/' || m, $2, 'TRANSFORMER', 'run', now(), 'SUCCESS', now(), 'seed' FROM ${each}`,
      w.job,
    ],
    [
      `WITH r AS (INSERT INTO data_entity (catrn, external_name, type_id, class_ids, data_source_id)
         SELECT '//relationship/' || m, 'refers', 25, '{9}', e.data_source_id
           FROM data_entity e, ${each} WHERE e.id = $2
         RETURNING id, catrn)
       INSERT INTO relationship (entity_id, kind, source_id, target_id)
       SELECT r.id, 'ERD', $2, m FROM ${each} JOIN r ON r.catrn = '//relationship/' || m`,
      w.dataset,
    ],
  ];
  for (const [sql, ...values] of all) await db.query(sql, [w.members, ...values]);
}

/** What the dataset has of its own, by name; ids of the tags. */
async function seedAround(db: Database, name: string, dataset: number, n: number) {
  const named = async (table: string, columns: string, values: string) =>
    (await db.query<{ id: number }>(
      `INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${serial} RETURNING id`,
      [name, n],
    )).map(({ id }) => id);
  const tags = await named("tag", "name", "$1::text || ' tag ' || n");
  const owners = await named("owner", "name", "$1::text || ' owner ' || n");
  await named("title", "name", "$1::text || ' title ' || n");
  await named("namespace", "name", "$1::text || ' ' || n");
  const metadata = await named(
    "metadata_field",
    "name, type, origin",
    "$1::text || n, 'STRING', 'EXTERNAL'",
  );
  const each = "unnest($2::bigint[]) x";
  await db.query(`INSERT INTO entity_tag SELECT $1, x, 'EXTERNAL' FROM ${each}`, [dataset, tags]);
  await db.query(`INSERT INTO ownership (entity_id, owner_id) SELECT $1, x FROM ${each}`, [
    dataset,
    owners,
  ]);
  await db.query(`INSERT INTO metadata_value SELECT $1, x, 'v' FROM ${each}`, [dataset, metadata]);
  await db.query(
    `INSERT INTO entity_term SELECT $1, id FROM term ORDER BY id LIMIT $2`,
    [dataset, n],
  );
  await db.query(
    `INSERT INTO activity (event_type, entity_id, created_by, old_state, new_state, system_event)
     SELECT 'DESCRIPTION_UPDATED', $1, 'user ' || n, '{}', '{"description": {"description": "d"}}', false
       FROM ${serial}`,
    [dataset, n],
  );
  return tags;
}
