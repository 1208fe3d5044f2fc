import type { Database } from "#metadata/postgres/database.ts";

/** Tables in layers, the last of which is one table; each column is made from columns of the layer before. */
export interface ColumnShape {
  layers: number;
  tables: number;
  columns: number;
}

/**
 * Writes a graph of columns straight into the metadata store, in the state that ingestion would leave.
 * Returns the id of the table that all lead to.
 */
export async function loadColumns(db: Database, shape: ColumnShape): Promise<number> {
  const { layers, tables, columns } = shape;
  const made: { id: number; layer: number }[] = [];
  for (let layer = 1; layer <= layers; layer++) {
    const last = layer === layers;
    const rows = await db.query<{ id: number }>(
      `INSERT INTO data_entity (catrn, type_id, class_ids, external_name, last_ingested_at)
       SELECT $3 || $1 || '/' || n, 1, '{1}', 'table_' || $1 || '_' || n, now()
         FROM generate_series(1, $2::int) n ORDER BY n RETURNING id`,
      [layer, last ? 1 : tables, `//bench/columns/${layers}/${tables}/${columns}/`],
    );
    made.push(...rows.map(({ id }) => ({ id, layer })));
  }
  await structures(db, made.map(({ id }) => id), columns);
  await edges(db, shape, made);
  await db.query("ANALYZE data_entity; ANALYZE dataset_field; ANALYZE dataset_version");
  await db.query("ANALYZE dataset_column; ANALYZE column_edge");
  return made.at(-1)!.id;
}

async function structures(db: Database, tables: number[], columns: number): Promise<void> {
  await db.query(
    `INSERT INTO dataset_field (dataset_id, catrn, name, type, is_nullable, hash)
     SELECT d, '//bench/field/' || d || '/' || n, 'Column_' || n, 'TYPE_STRING', true, '\\x00'
       FROM unnest($1::bigint[]) d, generate_series(1, $2::int) n ORDER BY d, n`,
    [tables, columns],
  );
  await db.query(
    `INSERT INTO dataset_version (dataset_id, version, hash, field_ids)
     SELECT dataset_id, 1, '0', array_agg(id ORDER BY id) FROM dataset_field
      WHERE dataset_id = ANY ($1::bigint[]) GROUP BY 1`,
    [tables],
  );
  await db.query(
    `INSERT INTO dataset_column (dataset_id, path, folded)
     SELECT dataset_id, name, search_lower(name) FROM dataset_field
      WHERE dataset_id = ANY ($1::bigint[]) ORDER BY id`,
    [tables],
  );
}

/** Each column has two sources among those of the layer before, the establisher being its own table. */
async function edges(
  db: Database,
  { layers }: ColumnShape,
  made: { id: number; layer: number }[],
): Promise<void> {
  for (let layer = 2; layer <= layers; layer++) {
    const near = made.filter((m) => m.layer === layer - 1).map(({ id }) => id);
    const own = made.filter((m) => m.layer === layer).map(({ id }) => id);
    await db.query(
      `WITH near AS (
         SELECT id, dataset_id, row_number() OVER (ORDER BY id) - 1 AS n, count(*) OVER () AS of
           FROM dataset_column WHERE dataset_id = ANY ($1::bigint[])
       ), own AS (
         SELECT id, dataset_id, row_number() OVER (ORDER BY id) - 1 AS n, count(*) OVER () AS of
           FROM dataset_column WHERE dataset_id = ANY ($2::bigint[]))
       INSERT INTO column_edge (establisher_id, source_id, target_id, kind, source_dataset, target_dataset)
       SELECT o.dataset_id, s.id, o.id, 0, s.dataset_id, o.dataset_id
         FROM own o JOIN near s ON s.n % o.of = o.n OR (s.n + 1) % o.of = o.n
       ON CONFLICT DO NOTHING`,
      [near, own],
    );
  }
}
