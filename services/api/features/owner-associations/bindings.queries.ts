import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Person } from "#services/api/access/callers/person.ts";

const lockAll = statement("owner-bindings-lock")`
  LOCK TABLE user_owner IN SHARE ROW EXCLUSIVE MODE`;

/**
 * Bindings change one at a time: a change concerns a person, an owner and the user who was bound to
 * either. Readers do not wait. Comes first in a transaction.
 */
export async function lockBindings(tx: Transaction): Promise<void> {
  await tx.query(lockAll);
}

/** An owner that is locked, with what somebody who takes it over would get. */
export interface OwnerRow {
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
export interface Binding extends Person {
  owner_id: number;
  owner_name: string;
}

const touching = statement<Binding>("owner-bindings-touching")`
  SELECT u.username, u.provider, u.owner_id, o.name AS owner_name
    FROM user_owner u JOIN owner o ON o.id = u.owner_id
   WHERE u.owner_id = $1 OR (u.username, u.provider) = ($2, $3)`;

/** The bindings of a person, and of an owner: none, one (which may be both) or two. */
export function bindingsOf(db: Queryable, { username, provider }: Person, owner: number) {
  return db.query(touching, [owner, username, provider]);
}

const remove = statement<Person>("owner-unbind")`
  DELETE FROM user_owner WHERE owner_id = $1 RETURNING username, provider`;

/** Ends the binding of an owner; whose it was, undefined when nobody was bound to it. */
export async function unbind(tx: Transaction, owner: number): Promise<Person | undefined> {
  return (await tx.query(remove, [owner]))[0];
}

const insert = statement("owner-bind")`
  INSERT INTO user_owner (username, provider, owner_id) VALUES ($1, $2, $3)`;

export async function bind(
  tx: Transaction,
  { username, provider }: Person,
  owner: number,
): Promise<void> {
  await tx.query(insert, [username, provider, owner]);
}

/** Roles by name, as far as owners give them. */
export interface BindingRoles {
  /** Of the owner that a person is bound to. */
  before: string[];
  /** Of the owner that the person is to be bound to. */
  after: string[];
  /** Whether the provider said, when the person signed in last, that it is an administrator. */
  admin: boolean;
}

const roles = statement<BindingRoles>("owner-binding-roles")`
  SELECT ARRAY(SELECT r.name::text FROM user_owner u JOIN owner_role o ON o.owner_id = u.owner_id
                 JOIN role r ON r.id = o.role_id
                WHERE (u.username, u.provider) = ($1, $2)) AS before,
         ARRAY(SELECT r.name::text FROM owner_role o JOIN role r ON r.id = o.role_id
                WHERE o.owner_id = $3) AS after,
         coalesce((SELECT a.admin FROM account a
                    WHERE (a.username, a.provider) = ($1, $2)), false) AS admin`;

/** The roles of a person before and after it is bound to a locked owner. */
export async function bindingRoles(
  tx: Transaction,
  { username, provider }: Person,
  owner: number,
): Promise<BindingRoles> {
  return (await tx.query(roles, [username, provider, owner]))[0]!;
}
