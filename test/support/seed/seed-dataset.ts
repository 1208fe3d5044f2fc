import type { Queryable } from "#metadata/postgres/database.ts";

export interface SeedField {
  catrn: string;
  name?: string;
  type?: string;
  logicalType?: string | null;
  nullable?: boolean;
  parent?: string | null;
  reference?: string | null;
  primaryKey?: boolean | null;
  stats?: Record<string, unknown> | null;
}

/** A row of a dataset's field; its id. */
export async function seedField(db: Queryable, dataset: number, field: SeedField) {
  const [row] = await db.query<{ id: number }>(
    `INSERT INTO dataset_field (dataset_id, catrn, name, parent_catrn, reference_catrn, type,
       logical_type, is_nullable, is_primary_key, stats, hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, decode(md5($2), 'hex')) RETURNING id`,
    [
      dataset,
      field.catrn,
      field.name ?? field.catrn.split("/").at(-1),
      field.parent ?? null,
      field.reference ?? null,
      field.type ?? "TYPE_STRING",
      field.logicalType ?? null,
      field.nullable ?? true,
      field.primaryKey ?? null,
      field.stats ? JSON.stringify(field.stats) : null,
    ],
  );
  return row!.id;
}

/** A structure version of these field rows, in their order; its id. */
export async function seedVersion(
  db: Queryable,
  dataset: number,
  version: number,
  fields: number[],
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `INSERT INTO dataset_version (dataset_id, version, hash, field_ids)
     VALUES ($1, $2, $3, $4::bigint[]) RETURNING id`,
    [dataset, version, `hash ${version}`, fields],
  );
  return row!.id;
}

/** A tag on a field, made when it is missing. */
export async function seedFieldTag(
  db: Queryable,
  field: number,
  name: string,
  origin: "INTERNAL" | "EXTERNAL" | "EXTERNAL_STATISTICS",
): Promise<void> {
  await db.query(
    `WITH t AS (INSERT INTO tag (name) VALUES ($2)
       ON CONFLICT (name) DO UPDATE SET name = $2 RETURNING id)
     INSERT INTO field_tag (field_id, tag_id, origin) SELECT $1, id, $3 FROM t`,
    [field, name, origin],
  );
}

export interface SeedRun {
  catrn: string;
  kind?: "TRANSFORMER" | "TEST";
  start: Date;
  end?: Date | null;
  status?: string;
  reason?: string | null;
  metadata?: Record<string, string>;
}

/** A run of a transformer or test; its id. */
export async function seedRun(db: Queryable, task: number, run: SeedRun): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `INSERT INTO task_run (catrn, task_id, kind, name, start_time, end_time, status, status_reason,
       metadata, received_at, batch)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now(), 'seed') RETURNING id`,
    [
      run.catrn,
      task,
      run.kind ?? "TRANSFORMER",
      `run ${run.catrn}`,
      run.start,
      run.end ?? null,
      run.status ?? "SUCCESS",
      run.reason ?? null,
      run.metadata ? JSON.stringify(run.metadata) : null,
    ],
  );
  return row!.id;
}

export interface SeedRelationship {
  kind: "ERD" | "GRAPH";
  source: number;
  target: number;
  cardinality?: string;
  identifying?: boolean;
  directed?: boolean;
  attributes?: Record<string, unknown>;
  /** CATRNs of fields, source and target. */
  pairs?: [string, string][];
}

/** What makes an entity a relationship; the id of its own row. */
export async function seedRelationship(db: Queryable, entity: number, given: SeedRelationship) {
  const [row] = await db.query<{ id: number }>(
    `INSERT INTO relationship (entity_id, kind, source_id, target_id, is_identifying, cardinality,
       is_directed, attributes) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
    [
      entity,
      given.kind,
      given.source,
      given.target,
      given.identifying ?? null,
      given.cardinality ?? null,
      given.directed ?? null,
      given.attributes ? JSON.stringify(given.attributes) : null,
    ],
  );
  for (const [index, [source, target]] of (given.pairs ?? []).entries()) {
    await db.query(
      `INSERT INTO relationship_field_pair (relationship_id, ordinal, source_catrn, target_catrn)
       VALUES ($1, $2, $3, $4)`,
      [row!.id, index, source, target],
    );
  }
  return row!.id;
}
