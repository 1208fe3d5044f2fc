import { type JsonRow, plannedEachTime } from "#metadata/postgres/statement.ts";

/** $1 user name, $2 provider: ids of the live entities that the user's owner owns. */
export const ownedBy = plannedEachTime<{ id: number }>("owned-entities")`
SELECT o.entity_id AS id FROM user_owner u JOIN ownership o ON o.owner_id = u.owner_id
  JOIN data_entity e ON e.id = o.entity_id AND is_live(e.status) AND NOT e.hollow
 WHERE u.username = $1 AND u.provider = $2 ORDER BY o.entity_id`;

/** $1 ids, $2 stale period in days, $3 limit, $4 offset: a page of DataEntityRef as JSON texts. */
export const refsOf = plannedEachTime<JsonRow>("owned-refs")`
SELECT json_entity_ref(e, $2::int)::text AS json
  FROM data_entity e WHERE e.id = ANY ($1::bigint[]) AND is_live(e.status) AND NOT e.hollow
 ORDER BY e.id LIMIT $3 OFFSET $4`;

/** $1 ids: those that exist and are not deleted. */
export const visibleOf = plannedEachTime<{ id: number }>("owned-visible")`
SELECT id FROM data_entity WHERE id = ANY ($1::bigint[]) AND is_live(status)`;
