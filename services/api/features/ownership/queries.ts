import type { ActivityState } from "#metadata/catalogue/activity.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { listOfFound } from "#services/api/list-json.ts";

/** TitleList by name. $1 is for ILIKE, $2 limit, $3 offset. */
// A title that no ownership has any more is not listed; its row waits for the next who has that title.
export const titles = statement<JsonRow>("title-list")`
  WITH found AS (
    SELECT t.id, t.name FROM title t
     WHERE t.name ILIKE $1
       AND (EXISTS (SELECT FROM ownership o WHERE o.title_id = t.id)
         OR EXISTS (SELECT FROM term_ownership o WHERE o.title_id = t.id)))
  ${listOfFound({ each: "json_named(id, name)", by: "name", window: ["$2", "$3"] })}`;

/** At most $2 of the members that the group $1 shows. */
export const members = statement<{ id: number }>("ownership-members")`
  SELECT e.id FROM (SELECT DISTINCT member_id AS id FROM group_member WHERE group_id = $1) m
    JOIN data_entity e ON e.id = m.id
   WHERE NOT e.hollow AND is_live(e.status) LIMIT $2`;

/** Who owns what: the ids of owner and title. */
export interface OwnershipKey {
  ownerId: number;
  titleId: number | null;
}

/** `external`: reported by its source, not set by a person. */
interface StoredOwnership extends OwnershipKey {
  external: boolean;
  owner: string;
}

/** The ownership $1 of the entity $2. */
export const byId = statement<StoredOwnership>("ownership-of-entity")`
  SELECT o.owner_id AS "ownerId", o.title_id AS "titleId", o.external, w.name AS owner
    FROM ownership o JOIN owner w ON w.id = o.owner_id WHERE o.id = $1 AND o.entity_id = $2`;

const add = statement<{ id: number }>("ownership-add")`
  INSERT INTO ownership AS o (entity_id, owner_id, title_id)
  SELECT unnest($1::bigint[]), $2, $3
  ON CONFLICT (entity_id, owner_id) DO UPDATE
    SET external = false, title_id = excluded.title_id WHERE o.external
  RETURNING entity_id AS id`;

/** Gives locked entities an owner; returns those where it is new. What only a source reported becomes set by a person. */
export async function addOwnerships(tx: Transaction, ids: number[], of: OwnershipKey) {
  return (await tx.query(add, [ids, of.ownerId, of.titleId])).map(({ id }) => id);
}

/** The first of the locked entities $1 that more than $2 owners own. */
export const crowded = statement<{ id: number }>("ownership-crowded")`
  SELECT entity_id AS id FROM ownership WHERE entity_id = ANY($1::bigint[])
   GROUP BY entity_id HAVING count(*) > $2 ORDER BY entity_id LIMIT 1`;

const retitle = statement<{ id: number }>("ownership-retitle")`
  UPDATE ownership SET title_id = $3
   WHERE entity_id = ANY($1::bigint[]) AND owner_id = $2 AND NOT external
     AND title_id IS DISTINCT FROM $3
  RETURNING entity_id AS id`;

/** Sets the title where people gave the locked entities the owner; returns those where it was another one. */
export async function setTitles(tx: Transaction, ids: number[], of: OwnershipKey) {
  return (await tx.query(retitle, [ids, of.ownerId, of.titleId])).map(({ id }) => id);
}

/** Takes the owner $2 from the locked entities $1; those that people had given it. */
export const remove = statement<{ id: number }>("ownership-remove")`
  DELETE FROM ownership WHERE entity_id = ANY($1::bigint[]) AND owner_id = $2 AND NOT external
  RETURNING entity_id AS id`;

const states = statement<{ id: number; ownerships: ActivityState["ownerships"] }>(
  "ownership-states",
)`
  SELECT o.entity_id AS id,
         json_agg(json_build_object('owner_name', w.name, 'title_name', t.name) ORDER BY o.id)
           AS ownerships
    FROM ownership o JOIN owner w ON w.id = o.owner_id LEFT JOIN title t ON t.id = o.title_id
   WHERE o.entity_id = ANY($1::bigint[]) AND NOT o.external GROUP BY o.entity_id`;

/** The ownerships set by people, as the activity feed lists them; an entity without any is missing. */
export async function ownershipStates(tx: Transaction, ids: number[]) {
  const rows = await tx.query(states, [ids]);
  return new Map(rows.map(({ id, ownerships }) => [id, ownerships]));
}

const asJson = statement<JsonRow>("ownership-json")`
  SELECT json_ownership_of(o.id, json_owner(w), t, o.external)::text AS json
    FROM ownership o JOIN owner w ON w.id = o.owner_id LEFT JOIN title t ON t.id = o.title_id
   WHERE o.entity_id = $1 AND o.owner_id = $2`;

/** Ownership as JSON text. */
export async function ownershipJson(tx: Transaction, entityId: number, ownerId: number) {
  return (await tx.query(asJson, [entityId, ownerId]))[0]!.json;
}
