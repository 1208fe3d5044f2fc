import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Person } from "#services/api/access/callers/person.ts";
import type { Answer } from "#services/api/features/owner-associations/schemas.ts";
import { listOfFound } from "#services/api/list-json.ts";

const found = "coalesce(o.name, r.owner_name) ILIKE $2 OR r.username ILIKE $2";

/** OwnerAssociationRequestList, newest first: $1 statuses, $2 pattern for ILIKE over names of users and owners, $3 limit, $4 offset. */
export const list = statement<JsonRow>("owner-request-list")`
  WITH found AS (
    SELECT r FROM owner_association_request r LEFT JOIN owner o ON o.id = r.owner_id
     WHERE r.status = ANY ($1::text[]) AND (${found}))
  ${listOfFound({ each: "json_owner_request(r)", by: "(r).id DESC", window: ["$3", "$4"] })}`;

/** OwnerAssociationRequestActivityList, newest first: as `list`, by the status that events left. */
export const events = statement<JsonRow>("owner-request-events")`
  WITH found AS (
    SELECT r, e FROM owner_association_request_event e
      JOIN owner_association_request r ON r.id = e.request_id
      LEFT JOIN owner o ON o.id = r.owner_id
     WHERE e.status = ANY ($1::text[]) AND (${found}))
  ${
  listOfFound({
    each: "json_owner_request_event(r, e)",
    by: "(e).id DESC",
    window: ["$3", "$4"],
  })
}`;

/** OwnerAssociationRequest. */
export const asJson = statement<JsonRow>("owner-request-json")`
  SELECT json_owner_request(r)::text AS json FROM owner_association_request r WHERE r.id = $1`;

/** The newest OwnerAssociationRequest of the person $1, $2. */
export const newest = statement<{ request: unknown }>("owner-request-newest")`
  SELECT json_owner_request(r) AS request FROM owner_association_request r
   WHERE r.username = $1 AND r.provider = $2 ORDER BY r.id DESC LIMIT 1`;

const insert = statement<{ id: number }>("owner-request-insert")`
  INSERT INTO owner_association_request (username, provider, owner_id, owner_name)
  VALUES ($1, $2, $3, $4) RETURNING id`;

const created = statement("owner-request-created")`
  INSERT INTO owner_association_request_event (request_id, event_type, status, created_by, created_by_provider)
  VALUES ($1, 'REQUEST_CREATED', 'PENDING', $2, $3)`;

/** Inserts a pending request; its id. Fails (23505) when the person waits for an answer already. */
export async function insertRequest(
  tx: Transaction,
  { username, provider }: Person,
  owner: { id: number; name: string },
): Promise<number> {
  const { id } = (await tx.query(insert, [username, provider, owner.id, owner.name]))[0]!;
  await tx.query(created, [id, username, provider]);
  return id;
}

/** A request that is locked. */
export interface RequestRow extends Person {
  id: number;
  owner_id: number | null;
  owner_name: string;
  status: "PENDING" | Answer;
}

const columns = "id, username, provider, owner_id, owner_name, status";

export const lockRequest = statement<RequestRow>("owner-request-lock")`
  SELECT ${columns} FROM owner_association_request WHERE id = $1 FOR UPDATE`;

/** Locks the pending requests for the owner $1, or of the person $2, $3. */
export const pendingOf = statement<RequestRow>("owner-request-colliding")`
  SELECT ${columns} FROM owner_association_request
   WHERE status = 'PENDING' AND (owner_id = $1 OR (username, provider) = ($2, $3))
   ORDER BY id FOR UPDATE`;

/** Answers the locked request $1 by the status $2, with the event $3 that records how; $4 and $5 who did. */
export const answer = statement("owner-request-answer")`
  WITH answered AS (
    UPDATE owner_association_request
       SET status = $2, status_updated_by = $4, status_updated_by_provider = $5,
           status_updated_at = now()
     WHERE id = $1 RETURNING id)
  INSERT INTO owner_association_request_event
         (request_id, event_type, status, created_by, created_by_provider)
  SELECT id, $3, $2, $4, $5 FROM answered`;

/**
 * Bindings change one at a time: a change concerns a person, an owner and the user who was bound to
 * either. Readers do not wait. Comes first in a transaction.
 */
export const lockBindings = statement("owner-bindings-lock")`
  LOCK TABLE user_owner IN SHARE ROW EXCLUSIVE MODE`;

/** An owner that is locked, with what somebody who takes it over would get. */
interface OwnerRow {
  id: number;
  name: string;
  /** Whether it has a role beyond User, which everybody has. */
  privileged: boolean;
}

const locked = statement<OwnerRow>("owner-lock-for-binding")`
  SELECT o.id, o.name, owner_is_privileged(o.id) AS privileged
    FROM owner o WHERE o.id = $1 FOR NO KEY UPDATE OF o`;

/** Locks an owner, so that its roles stay; undefined when there is none. */
export async function lockOwner(tx: Transaction, id: number): Promise<OwnerRow | undefined> {
  // The first may wait; the second sees what was committed meanwhile.
  const [row] = await tx.query(locked, [id]);
  return row && (await tx.query(locked, [id]))[0];
}

/** Who is bound to whom. */
interface Binding extends Person {
  owner_id: number;
  owner_name: string;
}

/** The bindings of the owner $1, and of the person $2, $3: none, one (which may be both) or two. */
export const bindingsOf = statement<Binding>("owner-bindings-touching")`
  SELECT u.username, u.provider, u.owner_id, o.name AS owner_name
    FROM user_owner u JOIN owner o ON o.id = u.owner_id
   WHERE u.owner_id = $1 OR (u.username, u.provider) = ($2, $3)`;

/** Ends the binding of an owner; whose it was, no row when nobody was bound to it. */
export const unbind = statement<Person>("owner-unbind")`
  DELETE FROM user_owner WHERE owner_id = $1 RETURNING username, provider`;

export const bind = statement("owner-bind")`
  INSERT INTO user_owner (username, provider, owner_id) VALUES ($1, $2, $3)`;

/** Roles by name, as far as owners give them. */
interface BindingRoles {
  /** Of the owner that a person is bound to. */
  before: string[];
  /** Of the owner that the person is to be bound to. */
  after: string[];
  /** Whether the provider said, when the person signed in last, that it is an administrator. */
  admin: boolean;
}

/** The roles of the person $1, $2 before and after it is bound to the locked owner $3. */
export const bindingRoles = statement<BindingRoles>("owner-binding-roles")`
  SELECT ARRAY(SELECT r.name::text FROM user_owner u JOIN owner_role o ON o.owner_id = u.owner_id
                 JOIN role r ON r.id = o.role_id
                WHERE (u.username, u.provider) = ($1, $2)) AS before,
         ARRAY(SELECT r.name::text FROM owner_role o JOIN role r ON r.id = o.role_id
                WHERE o.owner_id = $3) AS after,
         coalesce((SELECT a.admin FROM account a
                    WHERE (a.username, a.provider) = ($1, $2)), false) AS admin`;
