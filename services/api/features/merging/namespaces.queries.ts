import { entityClasses } from "#contract/entities.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { redirect } from "#services/api/features/merging/moving.ts";

const clashes = statement<{ what: string; names: string[] }>("merge-namespace-clashes")`
  SELECT what, (array_agg(DISTINCT name ORDER BY name))[1:20] AS names FROM (
    SELECT 'terms' AS what, folded AS key, name, namespace_id FROM term
     WHERE namespace_id = $1 OR namespace_id = ANY($2::bigint[])
    UNION ALL
    SELECT 'lookup tables', l.normalised, l.name, l.namespace_id
      FROM lookup_table l JOIN data_entity e ON e.id = l.entity_id
     WHERE (l.namespace_id = $1 OR l.namespace_id = ANY($2::bigint[])) AND is_live(e.status)) x
   WHERE (what, key) IN (
     SELECT 'terms', folded FROM term WHERE namespace_id = $1 OR namespace_id = ANY($2::bigint[])
      GROUP BY 2 HAVING count(DISTINCT namespace_id) > 1
     UNION ALL
     SELECT 'lookup tables', l.normalised FROM lookup_table l JOIN data_entity e ON e.id = l.entity_id
      WHERE (l.namespace_id = $1 OR l.namespace_id = ANY($2::bigint[])) AND is_live(e.status)
      GROUP BY 2 HAVING count(*) > 1)
   GROUP BY what ORDER BY what`;

/** Names, at most 20 of a kind, that more than one of the namespaces has. */
export function clashingNames(tx: Transaction, into: number, from: number[]) {
  return tx.query(clashes, [into, from]);
}

const entities = statement<{ id: number; manual: boolean }>("merge-namespace-entities")`
  SELECT id, manually_created AND is_live(status) AND ${entityClasses.DATA_ENTITY_GROUP} = ANY(class_ids) AS manual
    FROM data_entity WHERE namespace_id = ANY($1::bigint[]) ORDER BY id LIMIT $2`;

/** At most `limit` entities of the namespaces; `manual`: a group made by hand. */
export function entitiesIn(tx: Transaction, namespaces: number[], limit: number) {
  return tx.query(entities, [namespaces, limit]);
}

const terms = statement<{ id: number }>("merge-namespace-terms")`
  SELECT id FROM term WHERE namespace_id = ANY($1::bigint[])`;

const moves = [
  redirect("data_source", "namespace_id"),
  redirect("collector", "namespace_id"),
  redirect("lookup_table", "namespace_id"),
  redirect("data_entity", "namespace_id"),
  redirect("term", "namespace_id"),
  redirect("silence", "namespace_id"),
];

/** Moves all that is in namespaces into another; returns the terms among it. */
export async function moveContents(tx: Transaction, into: number, from: number[]) {
  const moved = await tx.query(terms, [from]);
  for (const move of moves) await tx.query(move, [into, from]);
  return moved.map(({ id }) => id);
}
