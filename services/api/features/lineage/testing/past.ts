import type { Database } from "#metadata/postgres/database.ts";

/** Establisher, parent and child. */
type Edge = [establisher: number, parent: number, child: number];

/** Writes what the catalogue would contain after reports at the given times (ISO 8601). */
export interface Past {
  created(ids: number[], at: string): Promise<unknown>;
  /** An edge that is declared still. */
  declared(edge: Edge, since: string): Promise<unknown>;
  /** An edge that was declared once. */
  ended(edge: Edge, since: string, until: string): Promise<unknown>;
  /** An interval of deletion; without an end the entity is deleted now. */
  deleted(id: number, since: string, until?: string): Promise<unknown>;
  /** Leaves a tombstone; the entity is gone, or known only by its CATRN. */
  purged(
    id: number,
    at: string,
    catrn: string,
    name: string,
    left?: "gone" | "hollow",
  ): Promise<unknown>;
}

export function past(db: Database): Past {
  return {
    created: (ids, at) =>
      db.query("UPDATE data_entity SET created_at = $2 WHERE id = ANY($1)", [ids, at]),
    declared: (edge, since) =>
      db.query(
        `INSERT INTO lineage_edge (establisher_id, parent_id, child_id, since, live)
         SELECT $1, $2, $3, $4, NOT EXISTS (
           SELECT FROM data_entity WHERE id IN ($2, $3) AND status = 5)`,
        [...edge, since],
      ),
    ended: (edge, since, until) =>
      db.query("INSERT INTO lineage_edge_history VALUES ($1, $2, $3, $4, $5)", [
        ...edge,
        since,
        until,
      ]),
    deleted: async (id, since, until) => {
      await db.query("INSERT INTO entity_deletion VALUES ($1, $2, $3)", [id, since, until ?? null]);
      if (until !== undefined) return;
      await db.query("UPDATE data_entity SET status = 5 WHERE id = $1", [id]);
      await db.query("UPDATE lineage_edge SET live = false WHERE $1 IN (parent_id, child_id)", [
        id,
      ]);
    },
    purged: async (id, at, catrn, name, left = "gone") => {
      await db.query(
        `INSERT INTO entity_tombstone (entity_id, catrn, internal_name, type_id, class_ids,
                                       created_at, purged_at)
         SELECT id, $3, $4, type_id, class_ids, created_at, $2 FROM data_entity WHERE id = $1`,
        [id, at, catrn, name],
      );
      if (left === "gone") return await db.query("DELETE FROM data_entity WHERE id = $1", [id]);
      return await db.query(
        `UPDATE data_entity SET hollow = true, external_name = NULL, internal_name = NULL,
                type_id = NULL, class_ids = '{}' WHERE id = $1`,
        [id],
      );
    },
  };
}
