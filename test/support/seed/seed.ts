import { entityClasses, type EntityType, entityTypes } from "#contract/entities.ts";
import type { Queryable } from "#metadata/postgres/database.ts";

let serial = 0;
const next = () => ++serial;

async function insert(db: Queryable, table: string, row: Record<string, unknown>): Promise<number> {
  const columns = Object.keys(row);
  const [made] = await db.query<{ id: number }>(
    `INSERT INTO ${table} (${columns.join(", ")})
     VALUES (${columns.map((_, i) => `$${i + 1}`).join(", ")}) RETURNING id`,
    Object.values(row),
  );
  return made!.id;
}

export interface SeedSource {
  catrn?: string;
  name?: string;
  description?: string | null;
  namespace?: string;
}

/** A namespace by name, made when it is missing; its id. */
export async function seedNamespace(db: Queryable, name: string): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    "INSERT INTO namespace (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = $1 RETURNING id",
    [name],
  );
  return row!.id;
}

/** A data source; its id. */
export async function seedSource(db: Queryable, given: SeedSource = {}): Promise<number> {
  const n = next();
  return await insert(db, "data_source", {
    catrn: given.catrn ?? `//test/sources/${n}`,
    name: given.name ?? `source ${n}`,
    description: given.description ?? null,
    namespace_id: given.namespace ? await seedNamespace(db, given.namespace) : null,
  });
}

export interface SeedEntity {
  catrn?: string;
  name?: string | null;
  internalName?: string | null;
  type?: EntityType;
  /** Class ids; the first class of the type when absent. */
  classes?: number[];
  sourceId?: number | null;
  namespaceId?: number | null;
  /** A placeholder: no type, no classes, no name. */
  hollow?: boolean;
  excluded?: boolean;
  manual?: boolean;
  /** Code of the status, 5 being DELETED. */
  status?: number;
  statusSwitchAt?: Date | null;
  lastIngestedAt?: Date | null;
  attributes?: Record<string, unknown>;
  externalDescription?: string | null;
  internalDescription?: string | null;
  viewCount?: number;
}

/** A data entity, by default a table that was ingested just now; its id. */
export async function seedEntity(db: Queryable, given: SeedEntity = {}): Promise<number> {
  const n = next();
  const type = entityTypes[given.type ?? "TABLE"];
  const hollow = given.hollow ?? false;
  const ingested = given.lastIngestedAt === undefined ? new Date() : given.lastIngestedAt;
  return await insert(db, "data_entity", {
    catrn: given.catrn ?? `//test/entities/${n}`,
    data_source_id: given.sourceId ?? null,
    namespace_id: given.namespaceId ?? null,
    type_id: hollow ? null : type.id,
    class_ids: hollow ? [] : given.classes ?? [entityClasses[type.classes[0]!]],
    external_name: hollow ? null : given.name ?? `entity ${n}`,
    internal_name: given.internalName ?? null,
    external_description: given.externalDescription ?? null,
    internal_description: given.internalDescription ?? null,
    hollow,
    excluded_from_search: given.excluded ?? hollow,
    manually_created: given.manual ?? false,
    status: given.status ?? 1,
    status_switch_at: given.statusSwitchAt ?? null,
    last_ingested_at: hollow || given.manual ? null : ingested,
    attributes: JSON.stringify(given.attributes ?? {}),
    view_count: given.viewCount ?? 0,
  });
}

/** An edge of the lineage; the child declares it unless another establisher is given. */
export async function seedEdge(
  db: Queryable,
  parent: number,
  child: number,
  establisher = child,
  live = true,
): Promise<void> {
  await db.query(
    `INSERT INTO lineage_edge (establisher_id, parent_id, child_id, live) VALUES ($1, $2, $3, $4)`,
    [establisher, parent, child, live],
  );
}

/** Membership in a group. */
export async function seedMember(
  db: Queryable,
  group: number,
  member: number,
  origin: "LIST" | "PARENT" | "MANUAL" = "LIST",
): Promise<void> {
  await db.query("INSERT INTO group_member (group_id, member_id, origin) VALUES ($1, $2, $3)", [
    group,
    member,
    origin,
  ]);
}

/** A tag on an entity, made when it is missing. */
export async function seedTag(
  db: Queryable,
  entity: number,
  name: string,
  given: { origin?: "INTERNAL" | "EXTERNAL"; important?: boolean } = {},
): Promise<void> {
  await db.query(
    `WITH t AS (INSERT INTO tag (name, important) VALUES ($2, $4)
       ON CONFLICT (name) DO UPDATE SET important = $4 RETURNING id)
     INSERT INTO entity_tag (entity_id, tag_id, origin) SELECT $1, id, $3 FROM t`,
    [entity, name, given.origin ?? "EXTERNAL", given.important ?? false],
  );
}

/** An owner of an entity, both made when missing; the id of the ownership. */
export async function seedOwnership(
  db: Queryable,
  entity: number,
  owner: string,
  title?: string,
  external = false,
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `WITH o AS (INSERT INTO owner (name) VALUES ($2)
       ON CONFLICT (name) DO UPDATE SET name = $2 RETURNING id),
     t AS (INSERT INTO title (name) SELECT $3::text WHERE $3::text IS NOT NULL
       ON CONFLICT (name) DO UPDATE SET name = $3 RETURNING id)
     INSERT INTO ownership (entity_id, owner_id, title_id, external)
     VALUES ($1, (SELECT id FROM o), (SELECT id FROM t), $4) RETURNING id`,
    [entity, owner, title ?? null, external],
  );
  return row!.id;
}

export interface SeedAlert {
  /** Codes, 1 unless told: see contract/alerts.ts. */
  type?: number;
  status?: number;
  messenger?: number | null;
  lastCreatedAt?: string;
  /** What it says, the oldest first, a second apart. */
  chunks?: string[];
}

/** An alert on an entity or on none, open unless told; its id. */
export async function seedAlert(
  db: Queryable,
  entity: number | null,
  given: SeedAlert = {},
): Promise<number> {
  const at = given.lastCreatedAt ?? new Date().toISOString();
  const id = await insert(db, "alert", {
    entity_id: entity,
    messenger_id: given.messenger ?? null,
    type: given.type ?? 1,
    status: given.status ?? 1,
    created_at: at,
    last_created_at: at,
  });
  await db.query(
    `INSERT INTO alert_chunk (alert_id, created_at, description)
     SELECT $1, $2::timestamptz + make_interval(secs => place - 1), text
       FROM unnest($3::text[]) WITH ORDINALITY AS c (text, place)`,
    [id, at, given.chunks ?? []],
  );
  return id;
}
