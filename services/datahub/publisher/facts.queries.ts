import { statement } from "#metadata/postgres/statement.ts";
import { maxNamed } from "#contract/ingestion/limits.ts";
import { jobKeyAspect } from "#platform/datahub/follow.ts";
import type { StoredAspect } from "#platform/datahub/store.queries.ts";

/** $1 urns: what they name. */
export const namedBy = statement<{ named: string }>("dh-facts-named")`
  SELECT DISTINCT named FROM dh_reference WHERE urn = ANY($1::text[])`;

/** Aspects that name the groups of an entity. */
const memberships = ["container", jobKeyAspect, "mlModelProperties"];

/** $1 urns of groups: their members. */
export const membersOf = statement<{ named: string; urn: string }>("dh-facts-members")`
  SELECT g.key AS named, m.urn FROM unnest($1::text[]) AS g (key) CROSS JOIN LATERAL (
    SELECT DISTINCT urn FROM dh_reference
     WHERE named = g.key AND aspect IN ('${memberships.join("', '")}')
     ORDER BY urn LIMIT ${maxNamed}) m`;

/** $1 urns, $2 aspects: those aspects of them. */
export const shownAspects = statement<StoredAspect>("dh-facts-shown")`
  SELECT urn, aspect, at, value, steps FROM dh_aspect WHERE urn = ANY($1::text[]) AND aspect = ANY($2::text[])`;

/** $1 CATRNs: the entities that report by themselves what they are made from. */
export const withOwnLineage = statement<{ catrn: string }>("dh-facts-own-lineage")`
  SELECT e.catrn FROM data_entity e
   WHERE e.catrn = ANY($1::text[])
     AND EXISTS (SELECT FROM lineage_edge l WHERE l.establisher_id = e.id AND l.child_id = e.id)`;
