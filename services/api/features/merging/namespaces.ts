import { entityClasses } from "#contract/entities.ts";
import { hasDependants } from "#kit/errors.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { recordingGroups } from "#services/api/features/groups/service.ts";
import {
  type Deps,
  lockUses,
  maxMoved,
  type Merge,
  type MergeResult,
  mergeSpellings,
  redirect,
} from "#services/api/features/merging/merge.ts";

/**
 * Merges all spellings of a namespace into this one, in which everything then is that any of them had. Throws 404, 400
 * (USR004) while two of them have a term or a lookup table of one name, and 403 without NAMESPACE_DELETE.
 */
export async function mergeNamespaces(deps: Deps, actor: Caller, id: number): Promise<MergeResult> {
  await deps.authorizer.authorize(actor, { permission: "NAMESPACE_DELETE", resource: null });
  return await mergeSpellings(deps, actor, "namespace", id, moveNamespace);
}

async function moveNamespace(merge: Merge): Promise<void> {
  const { change, into } = merge;
  const { tx } = change;
  const from = merge.from.map((namespace) => namespace.id);
  const clashes = await tx.query(clashingNames, [into.id, from]);
  if (clashes.length > 0) {
    const kinds = clashes.map(({ what, names }) => `${what} ${names.join(", ")}`).join("; ");
    throw hasDependants(
      `More than one of the namespaces has ${kinds}: merge these terms, or rename these tables, first`,
    );
  }
  const entities = await tx.query(entitiesIn, [from, maxMoved + 1]);
  const ids = entities.map(({ id }) => id);
  await lockUses(merge, ids);
  const groups = entities.filter(({ manual }) => manual).map(({ id }) => id);
  await recordingGroups(change, groups, async () => {
    const terms = await tx.query(termsIn, [from]);
    for (const move of moves) await tx.query(move, [into.id, from]);
    change.searchable(terms.map(({ id }) => id), "term");
  });
  change.searchable(ids);
}

/** Names, at most 20 of a kind, that more than one of the namespaces has. */
const clashingNames = statement<{ what: string; names: string[] }>("merge-namespace-clashes")`
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

/** At most $2 entities of the namespaces $1; `manual`: a group made by hand. */
const entitiesIn = statement<{ id: number; manual: boolean }>("merge-namespace-entities")`
  SELECT id, manually_created AND is_live(status) AND ${entityClasses.DATA_ENTITY_GROUP} = ANY(class_ids) AS manual
    FROM data_entity WHERE namespace_id = ANY($1::bigint[]) ORDER BY id LIMIT $2`;

const termsIn = statement<{ id: number }>("merge-namespace-terms")`
  SELECT id FROM term WHERE namespace_id = ANY($1::bigint[])`;

const moves = [
  redirect("data_source", "namespace_id"),
  redirect("collector", "namespace_id"),
  redirect("lookup_table", "namespace_id"),
  redirect("data_entity", "namespace_id"),
  redirect("term", "namespace_id"),
  redirect("silence", "namespace_id"),
];
