import type { Queryable } from "#metadata/postgres/database.ts";
import { seedVersion } from "#test/support/seed/seed-dataset.ts";
import { seedNamespace } from "#test/support/seed/seed.ts";

/** Fields of a dataset's newest version about which people wrote everything that can be written; their ids. */
export async function seedDescribedFields(
  db: Queryable,
  dataset: number,
  count: number,
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `INSERT INTO dataset_field (dataset_id, catrn, name, parent_catrn, type, is_nullable, hash,
       internal_name, internal_description, stats)
     SELECT $1, 'field ' || n, 'field ' || n, CASE WHEN n > 10 THEN 'field ' || n / 10 END,
            'TYPE_STRING', true, decode(md5(n::text), 'hex'), 'name ' || n,
            'What field ' || n || ' means, as [[described:mentioned ' || n % 50 || ']] says.',
            '{"string_stats": {"max_length": 9, "avg_length": 4.5, "nulls_count": 0, "unique_count": 7}}'
       FROM generate_series(1, $2) n RETURNING id`,
    [dataset, count],
  );
  const ids = rows.map(({ id }) => id);
  await seedVersion(db, dataset, 1, ids);
  await seedTerms(db);
  await writeAbout(db, ids);
  return ids;
}

async function seedTerms(db: Queryable): Promise<void> {
  const namespace = await seedNamespace(db, "described");
  await db.query(
    `INSERT INTO term (namespace_id, name, definition)
     SELECT $1, kind || ' ' || n, 'A definition' FROM generate_series(0, 49) n,
            unnest('{mentioned,linked}'::text[]) kind ON CONFLICT DO NOTHING`,
    [namespace],
  );
  await db.query(
    `INSERT INTO tag (name) SELECT 'described ' || n FROM generate_series(0, 49) n
     ON CONFLICT DO NOTHING`,
  );
  await db.query(
    `INSERT INTO metadata_field (name, type, origin)
     SELECT 'described ' || n, 'STRING', 'EXTERNAL' FROM generate_series(0, 9) n
     ON CONFLICT DO NOTHING`,
  );
}

const numbered = "unnest($1::bigint[]) WITH ORDINALITY AS f (id, n)";

async function writeAbout(db: Queryable, ids: number[]): Promise<void> {
  for (
    const written of [
      `INSERT INTO field_mention SELECT f.id, 'described', 'mentioned ' || n % 50 FROM ${numbered}`,
      `INSERT INTO field_term SELECT f.id, t.id FROM ${numbered}
         JOIN term t ON t.name = 'linked ' || n % 50`,
      `INSERT INTO field_tag SELECT f.id, t.id, o FROM ${numbered}
         JOIN tag t ON t.name IN ('described ' || n % 50, 'described ' || (n + 1) % 50),
         unnest('{INTERNAL,EXTERNAL}'::text[]) o`,
      `INSERT INTO field_metadata_value SELECT f.id, m.id, 'value ' || n FROM ${numbered}
         JOIN metadata_field m ON m.name IN ('described ' || n % 10, 'described ' || (n + 3) % 10)`,
      `INSERT INTO enum_value (field_id, name, origin) SELECT f.id, v, 'INTERNAL'
         FROM ${numbered}, unnest('{a,b}'::text[]) v`,
    ]
  ) await db.query(written, [ids]);
}
