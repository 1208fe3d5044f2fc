import type { ActivityState } from "#metadata/catalogue/activity.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { copyLinks, redirect } from "#services/api/features/merging/moving.ts";

const entities = statement<{ id: number }>("merge-owner-entities")`
  SELECT DISTINCT entity_id AS id FROM ownership WHERE owner_id = ANY($1::bigint[]) ORDER BY 1 LIMIT $2`;

/** At most `limit` entities that one of these owners owns. */
export async function ownedEntities(tx: Transaction, owners: number[], limit: number) {
  return (await tx.query(entities, [owners, limit])).map(({ id }) => id);
}

const states = statement<{ id: number; ownerships: ActivityState["ownerships"] }>(
  "merge-owner-states",
)`
  SELECT o.entity_id AS id,
         json_agg(json_build_object('owner_name', w.name, 'title_name', t.name) ORDER BY o.id) AS ownerships
    FROM ownership o JOIN owner w ON w.id = o.owner_id LEFT JOIN title t ON t.id = o.title_id
   WHERE o.entity_id = ANY($1::bigint[]) AND NOT o.external GROUP BY o.entity_id`;

/** The ownerships set by people, as the activity feed lists them; an entity without any is missing. */
export async function ownershipStates(tx: Transaction, ids: number[]) {
  return new Map((await tx.query(states, [ids])).map(({ id, ownerships }) => [id, ownerships]));
}

/** A user that is bound to an owner. */
export interface BoundUser {
  owner: number;
  username: string;
  provider: string;
}

const bound = statement<BoundUser>("merge-owner-users")`
  SELECT owner_id AS owner, username, provider FROM user_owner
   WHERE owner_id = ANY($1::bigint[]) ORDER BY owner_id FOR UPDATE`;

/** The users that are bound to these owners. */
export function boundUsers(tx: Transaction, owners: number[]): Promise<BoundUser[]> {
  return tx.query(bound, [owners]);
}

// Of two ownerships of one entity or term the one stays that a person gave, then the one of the owner that stays.
const thin = (table: string, of: string, first: string) =>
  statement(`merge-owner-thin-${table.replace("_", "-")}`)`
  DELETE FROM ${table} WHERE id IN (
    SELECT id FROM (
      SELECT id, row_number() OVER (PARTITION BY ${of} ORDER BY ${first} owner_id <> $1, id) AS nth
        FROM ${table} WHERE owner_id = $1 OR owner_id = ANY($2::bigint[])) x WHERE nth > 1)`;
const terms = statement<{ id: number }>("merge-owner-terms")`
  SELECT DISTINCT term_id AS id FROM term_ownership WHERE owner_id = ANY($1::bigint[])`;
const moves = [
  thin("ownership", "entity_id", "external,"),
  thin("term_ownership", "term_id", ""),
  redirect("ownership", "owner_id"),
  redirect("term_ownership", "owner_id"),
  redirect("user_owner", "owner_id"),
  redirect("owner_association_request", "owner_id"),
  redirect("silence", "owner_id"),
];

/** Gives an owner all that others own, their user and their requests; returns the terms among it. */
export async function moveOwnerships(tx: Transaction, into: number, from: number[]) {
  const owned = await tx.query(terms, [from]);
  for (const move of moves) await tx.query(move, [into, from]);
  return owned.map(({ id }) => id);
}

const roles = copyLinks("owner_role", "owner_id", ["role_id"]);
const withResult = {
  ...roles,
  text: `WITH made AS (${roles.text} RETURNING role_id) SELECT FROM made`,
};

/** Gives an owner the roles of others; returns whether it had not all of them. */
export async function moveRoles(tx: Transaction, into: number, from: number[]): Promise<boolean> {
  return (await tx.query(withResult, [into, from])).length > 0;
}
