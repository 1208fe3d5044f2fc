import pg from "pg";
import { type Database, isMetadataDown, type Transaction } from "#metadata/postgres/database.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";
import { lookupRole } from "#metadata/postgres/provision.ts";

/** Until the transaction ends, or `roleOff`, statements have the rights of the tables' own role. */
export const roleOn = `SET LOCAL ROLE ${lookupRole}`;
export const roleOff = "SET LOCAL ROLE NONE";

const lock = plannedEachTime("lookup-lock-role")`
  SELECT pg_advisory_xact_lock(hashtext('tributary_lookup'))`;
const known = plannedEachTime(
  "lookup-role-known",
)`SELECT FROM pg_roles WHERE rolname = '${lookupRole}'`;
const schemaKnown = plannedEachTime("lookup-schema-known")`
  SELECT FROM pg_namespace WHERE nspname = $1`;
const tablesOfOthers = plannedEachTime<{ name: string }>("lookup-tables-of-others")`
  SELECT c.relname AS name FROM pg_class c
   WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND c.relkind = 'r'
     AND c.relowner <> (SELECT oid FROM pg_roles WHERE rolname = '${lookupRole}')`;

/**
 * Makes the schema, and the role where this user may; `role`: whether it can be used, and if not, why. Tables
 * that were made before the role was there become the role's.
 */
export async function prepare(
  db: Database,
  schema: string,
): Promise<{ role: boolean; why?: unknown }> {
  const why = await roleFault(db);
  // change-ok -- the schema of the rows is no part of the catalogue
  await db.transaction(async (tx) => {
    await tx.query(lock);
    const named = pg.escapeIdentifier(schema);
    const there = await tx.query(schemaKnown, [schema]);
    if (there.length === 0) await tx.query(`CREATE SCHEMA ${named}`);
    if (why === undefined) await handOver(tx, schema);
  });
  return why === undefined ? { role: true } : { role: false, why };
}

async function handOver(tx: Transaction, schema: string): Promise<void> {
  const named = pg.escapeIdentifier(schema);
  await tx.query(`GRANT USAGE, CREATE ON SCHEMA ${named} TO ${lookupRole}`);
  for (const { name } of await tx.query(tablesOfOthers, [schema])) {
    await tx.query(`ALTER TABLE ${named}.${pg.escapeIdentifier(name)} OWNER TO ${lookupRole}`);
  }
}

/** Why the role cannot be used; undefined when it can. */
async function roleFault(db: Database): Promise<unknown> {
  try {
    // change-ok -- nor is their role
    await db.transaction(async (tx) => {
      await tx.query(lock);
      if ((await tx.query(known)).length === 0) {
        await tx.query(`CREATE ROLE ${lookupRole} NOLOGIN`);
        await tx.query(`GRANT ${lookupRole} TO CURRENT_USER`);
      }
      await tx.query(roleOn);
    });
    return undefined;
  } catch (error) {
    // What passes says nothing about the role, and is tried again with the next call.
    if (isMetadataDown(error)) throw error;
    // Any error but a missing right occurs again, and is reported, in what follows.
    return error;
  }
}
