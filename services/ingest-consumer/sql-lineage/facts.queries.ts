import { entityClasses } from "#contract/entities.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { SqlDataset } from "./model.ts";

/** An entity whose SQL is to be read. */
export interface SqlFacts {
  id: number;
  fingerprint: string;
  /** Null when it has none, or none any more. */
  sql: string | null;
  /** It declares column edges itself. */
  declared: boolean;
  /** How often processes ended while they read it as it is now. */
  attempts: number;
}

/** $1 entities: those whose SQL is to be read, or has gone. */
export const due = statement<{ id: number }>("sql-lineage-due")`
  SELECT sql_due($1::bigint[]) AS id`;

/** $1 entities that changed: they, and those that read or write them. */
export const concerned = statement<{ id: number }>("sql-lineage-concerned")`
  SELECT unnest($1::bigint[]) AS id
  UNION SELECT establisher_id FROM lineage_edges_touching($1::bigint[])`;

/** $1 after this id, $2 limit: entities that may have SQL, in order. */
export const page = statement<{ id: number }>("sql-lineage-page")`
  SELECT e.id FROM data_entity e
   WHERE e.id > $1 AND NOT e.hollow
     AND (e.class_ids @> ARRAY[${entityClasses.DATA_TRANSFORMER}]::smallint[]
       OR EXISTS (SELECT FROM sql_reading r WHERE r.entity_id = e.id))
   ORDER BY e.id LIMIT $2`;

/** $1 entity; no row for one that is not there, or deleted. */
export const factsOf = statement<SqlFacts>("sql-lineage-facts")`
  SELECT e.id, f.fingerprint, e.attributes #>> '{data_transformer,sql}' AS sql,
         EXISTS (SELECT FROM column_edge c
                  WHERE c.establisher_id = e.id AND c.origin = 0) AS declared,
         coalesce((SELECT r.attempts FROM sql_reading r WHERE r.entity_id = e.id
             AND r.outcome = 'reading' AND r.fingerprint = f.fingerprint), 0) AS attempts
    FROM data_entity e CROSS JOIN LATERAL (
      SELECT sql_fingerprint(e.id, e.content_hash) AS fingerprint) f
   WHERE e.id = $1 AND NOT e.hollow AND is_live(e.status)`;

/** $1 entity, $2 fingerprint: its SQL is about to be read with this. */
export const begin = statement("sql-lineage-begin")`
  INSERT INTO sql_reading AS r (entity_id, fingerprint, outcome, edges, attempts)
  VALUES ($1, $2, 'reading', 0, 1)
  ON CONFLICT (entity_id) DO UPDATE
    SET outcome = 'reading', fingerprint = excluded.fingerprint, read_at = excluded.read_at,
        attempts = CASE WHEN r.outcome = 'reading' AND r.fingerprint = excluded.fingerprint
                        THEN r.attempts ELSE 0 END + 1`;

/** $1 entity, $2 limit: the datasets that it declares to read and to write. */
export const datasetsOf = statement<SqlDataset & { written: boolean }>("sql-lineage-datasets")`
  SELECT d.dataset_id AS id, d.written, e.catrn, e.external_name AS name,
         ARRAY(SELECT f.name
                 FROM unnest(v.field_ids) WITH ORDINALITY AS o (id, place)
                 JOIN dataset_field f ON f.id = o.id
                WHERE f.parent_catrn IS NULL ORDER BY o.place) AS fields
    FROM sql_datasets($1) d JOIN data_entity e ON e.id = d.dataset_id
    LEFT JOIN LATERAL (
      SELECT v.field_ids FROM dataset_version v
       WHERE v.dataset_id = d.dataset_id ORDER BY v.version DESC LIMIT 1) v ON true
   WHERE e.hollow OR e.class_ids @> ARRAY[${entityClasses.DATA_SET}]::smallint[]
   ORDER BY d.dataset_id, d.written LIMIT $2`;
