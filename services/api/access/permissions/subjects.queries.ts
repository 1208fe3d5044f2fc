import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** What conditions ask of a data entity. */
export interface EntityAttributes {
  hollow: boolean;
  catrn: string;
  internal_name: string | null;
  external_name: string | null;
  type_id: number | null;
  class_ids: number[];
  source_catrn: string | null;
  source_name: string | null;
  namespace: string | null;
  /** Those that people gave. */
  tags: string[];
  /** Those that batches carry. */
  ingested_tags: string[];
  owner_ids: number[];
  owners: string[];
  titles: string[];
}

// What a batch carries gives nobody a right, unless a policy asks for it by a key of its own.
const given = "FROM ownership o WHERE o.entity_id = e.id AND NOT o.external";

const tags = (origin: "INTERNAL" | "EXTERNAL") =>
  `ARRAY(SELECT (SELECT name FROM tag WHERE id = x.tag_id)
          FROM entity_tag x WHERE x.entity_id = e.id AND x.origin = '${origin}')`;

const columns = `
  e.hollow, e.catrn, e.internal_name, e.external_name, e.type_id, e.class_ids,
  s.catrn AS source_catrn, s.name AS source_name, n.name AS namespace,
  ${tags("INTERNAL")} AS tags, ${tags("EXTERNAL")} AS ingested_tags,
  ARRAY(SELECT owner_id ${given}) AS owner_ids,
  ARRAY(SELECT (SELECT name FROM owner WHERE id = o.owner_id) ${given}) AS owners,
  ARRAY(SELECT (SELECT name FROM title WHERE id = o.title_id)
          ${given} AND o.title_id IS NOT NULL) AS titles`;

const joins = `
  LEFT JOIN data_source s ON s.id = e.data_source_id
  LEFT JOIN namespace n ON n.id = coalesce(e.namespace_id, s.namespace_id)`;

const entity = statement<EntityAttributes>("access-entity")`
  SELECT ${columns} FROM data_entity e ${joins} WHERE e.id = $1`;

/** Undefined for an unknown entity. */
export async function entityAttributes(db: Queryable, id: number) {
  return (await db.query(entity, [id]))[0];
}

const entities = statement<{ id: number } & EntityAttributes>("access-entities")`
  SELECT e.id, ${columns} FROM data_entity e ${joins}
   WHERE e.id = ANY($1::bigint[]) AND NOT e.hollow ORDER BY e.id`;

/** Of those that are known and not hollow, by id. */
export function attributesOfEntities(db: Queryable, ids: readonly number[]) {
  return db.query(entities, [ids]);
}

type OfAlert = { found: boolean } & EntityAttributes;

const alert = statement<OfAlert>("access-alert")`
  SELECT e.id IS NOT NULL AS found, ${columns}
    FROM alert a LEFT JOIN data_entity e ON e.id = a.entity_id ${joins} WHERE a.id = $1`;

/** Of the entity of an alert; null where it is of none, undefined for an unknown alert. */
export async function alertAttributes(db: Queryable, id: number) {
  const [row] = await db.query(alert, [id]);
  return row && !row.found ? null : row;
}

const ofField = statement<EntityAttributes>("access-dataset-field")`
  SELECT ${columns}
    FROM dataset_field f JOIN data_entity e ON e.id = f.dataset_id AND NOT e.hollow ${joins}
   WHERE f.id = $1`;

/** Of the dataset that has the field; undefined for an unknown field. */
export async function fieldAttributes(db: Queryable, id: number) {
  return (await db.query(ofField, [id]))[0];
}

/** What conditions ask of a term. */
export interface TermAttributes {
  name: string;
  namespace: string;
  tags: string[];
  owner_ids: number[];
  owners: string[];
  titles: string[];
}

const ofTerm = statement<TermAttributes>("access-term")`
  SELECT t.name, n.name AS namespace,
         ARRAY(SELECT (SELECT name FROM tag WHERE id = x.tag_id)
                 FROM term_tag x WHERE x.term_id = t.id) AS tags,
         ARRAY(SELECT owner_id FROM term_ownership o WHERE o.term_id = t.id) AS owner_ids,
         ARRAY(SELECT (SELECT name FROM owner WHERE id = o.owner_id)
                 FROM term_ownership o WHERE o.term_id = t.id) AS owners,
         ARRAY(SELECT (SELECT name FROM title WHERE id = o.title_id) FROM term_ownership o
                WHERE o.term_id = t.id AND o.title_id IS NOT NULL) AS titles
    FROM term t JOIN namespace n ON n.id = t.namespace_id WHERE t.id = $1`;

/** Undefined for an unknown term. */
export async function termAttributes(db: Queryable, id: number) {
  return (await db.query(ofTerm, [id]))[0];
}

/** What conditions ask of a query example. */
export interface QueryExampleAttributes {
  definition: string;
}

const ofQueryExample = statement<QueryExampleAttributes>("access-query-example")`
  SELECT definition FROM query_example WHERE id = $1`;

/** Undefined for an unknown query example. */
export async function queryExampleAttributes(db: Queryable, id: number) {
  return (await db.query(ofQueryExample, [id]))[0];
}
