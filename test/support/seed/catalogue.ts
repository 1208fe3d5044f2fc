import type { Database } from "#metadata/postgres/database.ts";

/** What a test says of an entity; the name is also the end of its CATRN. */
export interface EntityRow {
  name: string;
  /** Ids of contract/entities.ts; 1 (TABLE) unless told. */
  type?: number;
  classes?: number[];
  hollow?: boolean;
  manual?: boolean;
  status?: number;
}

/** Writes entities straight into the catalogue; returns their ids by name. */
export async function insertEntities(
  db: Database,
  rows: (string | EntityRow)[],
): Promise<Record<string, number>> {
  const entities = rows.map((row) => (typeof row === "string" ? { name: row } : row));
  const prefix = `//test/${crypto.randomUUID()}/`;
  const inserted = await db.query<{ id: number; catrn: string }>(
    `INSERT INTO data_entity (catrn, external_name, type_id, class_ids, hollow, manually_created, status)
     SELECT $1 || r.name, CASE WHEN NOT r.hollow THEN r.name END,
            CASE WHEN NOT r.hollow THEN r.type END,
            CASE WHEN r.hollow THEN '{}'
                 ELSE ARRAY(SELECT jsonb_array_elements_text(r.classes)::smallint) END,
            r.hollow, r.manual, r.status
       FROM jsonb_to_recordset($2::jsonb) AS r
            (name text, type smallint, classes jsonb, hollow boolean, manual boolean, status smallint)
     RETURNING id, catrn`,
    [prefix, JSON.stringify(entities.map(withDefaults))],
  );
  return Object.fromEntries(inserted.map((row) => [row.catrn.slice(prefix.length), row.id]));
}

function withDefaults(row: EntityRow) {
  return { type: 1, classes: [1], hollow: false, manual: false, status: 1, ...row };
}

/** A group for `insertEntities`; made by hand unless told. */
export function group(name: string, manual = true): EntityRow {
  return { name, type: 22, classes: [8], manual };
}

/** Writes edges as `[establisher, parent, child]`. */
export async function insertEdges(db: Database, edges: [number, number, number][]): Promise<void> {
  await db.query(
    `INSERT INTO lineage_edge (establisher_id, parent_id, child_id)
     SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])`,
    [0, 1, 2].map((at) => edges.map((edge) => edge[at])),
  );
}

/** Writes members as `[group, member]`. */
export async function insertMembers(
  db: Database,
  members: [number, number][],
  origin = "MANUAL",
): Promise<void> {
  await db.query(
    `INSERT INTO group_member (group_id, member_id, origin)
     SELECT g, m, $3 FROM unnest($1::bigint[], $2::bigint[]) AS t (g, m)`,
    [members.map((m) => m[0]), members.map((m) => m[1]), origin],
  );
}

/** Pairs of live edges that touch any of `ids`, as `parent>child` by name. */
export async function livePairs(db: Database, ids: Record<string, number>): Promise<string[]> {
  const name = new Map(Object.entries(ids).map(([key, id]) => [id, key]));
  const rows = await db.query<{ p: number; c: number }>(
    `SELECT DISTINCT parent_id p, child_id c FROM lineage_edge
      WHERE live AND (parent_id = ANY($1) OR child_id = ANY($1))`,
    [Object.values(ids)],
  );
  return rows.map((row) => `${name.get(row.p)}>${name.get(row.c)}`).sort();
}

/** What the lineage outbox tells after a position: the entity ids of each row. */
export async function outboxAfter(db: Database, position: number): Promise<number[][]> {
  const rows = await db.query<{ entity_ids: number[] }>(
    "SELECT entity_ids FROM lineage_outbox WHERE position > $1 ORDER BY position",
    [position],
  );
  return rows.map((row) => row.entity_ids);
}

/** The last position of the lineage outbox. */
export async function outboxHead(db: Database): Promise<number> {
  return (await db.query<{ head: number }>("SELECT lineage_head() AS head"))[0]!.head;
}

/** Members of a group, by id. */
export async function membersOf(db: Database, id: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    "SELECT DISTINCT member_id AS id FROM group_member WHERE group_id = $1 ORDER BY member_id",
    [id],
  );
  return rows.map((row) => row.id);
}

/** Activity of an entity, oldest first. */
export function eventsOf(db: Database, id: number) {
  return db.query<{ event_type: string; old_state: object; new_state: object }>(
    "SELECT event_type, old_state, new_state FROM activity WHERE entity_id = $1 ORDER BY id",
    [id],
  );
}
