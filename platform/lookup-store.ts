import pg from "pg";
import { messageOf } from "#kit/errors.ts";
import { type Database, isMetadataDown, type Transaction } from "#metadata/postgres/database.ts";
import { plannedEachTime, statement } from "#metadata/postgres/statement.ts";
import { lookupRole } from "#metadata/postgres/provision.ts";
import type { Context } from "#platform/context.ts";

type Deps = Pick<Context, "db" | "lookup" | "config" | "log">;

/** A transaction on the rows' database, and where the tables lie. */
export interface Physical {
  tx: Transaction;
  schema: string;
  /** By ids of columns, what no transaction takes back by itself: done when the work fails. */
  undo?: Map<number, SequenceAdvance>;
}

/** A column that was made to number on; `before`: the number that it had given last, if any. */
interface SequenceAdvance {
  before: number | null;
  /** Lets the column number as before. */
  stepBack(on: Physical): Promise<void>;
}

/**
 * Where the rows of lookup tables are stored: a schema of its own in the metadata's database or in another one.
 * Where the server allows, statements on it run under a role that has rights on nothing else.
 */
export class LookupStore {
  readonly schema: string;
  readonly #db: Database;
  #prepared: Promise<{ role: boolean }> | undefined;

  constructor(private readonly deps: Deps) {
    const { db, lookup, config } = deps;
    this.#db = lookup ?? db;
    // Several instances may share another database, but never that of the metadata.
    this.schema = lookup ? `${config.instance}_lookup` : "tributary_lookup";
  }

  /** Whether the rows lie in another database, so that nothing is in one transaction with the catalogue. */
  get isSeparate(): boolean {
    return this.deps.lookup !== undefined;
  }

  /** Runs `work` in a transaction of its own. */
  async alone<T>(work: (on: Physical) => Promise<T>): Promise<T> {
    const undo: Physical["undo"] = new Map();
    let whole = false;
    try {
      return await this.#transaction(async (on) => {
        const result = await work({ ...on, undo });
        whole = true;
        return result;
      });
    } catch (error) {
      // After the last statement, a lost connection leaves open whether it was committed.
      if (!whole && undo.size > 0) await this.#undone([...undo.values()]);
      throw error;
    }
  }

  async #transaction<T>(work: (on: Physical) => Promise<T>): Promise<T> {
    const { role } = await this.#ready();
    // change-ok -- rows are no part of the catalogue
    return await this.#db.transaction(async (tx) => {
      if (role) await tx.query(roleOn);
      return await work({ tx, schema: this.schema });
    });
  }

  async #undone(undo: SequenceAdvance[]): Promise<void> {
    await this.#transaction(async (on) => {
      for (const one of undo) await one.stepBack(on);
    }).catch((error) => {
      this.deps.log.warn("row numbers of refused rows stay reserved", { error });
    });
  }

  /**
   * Runs `work` within a transaction of the catalogue, or in one of its own, committed first, where the rows lie
   * apart.
   */
  async within<T>(tx: Transaction, work: (on: Physical) => Promise<T>): Promise<T> {
    if (this.isSeparate) return await this.alone(work);
    const { role } = await this.#ready();
    if (!role) return await work({ tx, schema: this.schema });
    await tx.query(roleOn);
    const result = await work({ tx, schema: this.schema });
    await tx.query(roleOff);
    return result;
  }

  /** Makes schema and role, once; tried again with the next call when it fails. */
  #ready(): Promise<{ role: boolean }> {
    this.#prepared ??= this.#prepare().catch((error) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  async #prepare(): Promise<{ role: boolean }> {
    const { role, why } = await prepare(this.#db, this.schema);
    if (!role) {
      this.deps.log.warn(
        "lookup tables are read and written under the program's own role: " +
          "the server has no role tributary_lookup for it",
        { cause: messageOf(why) },
      );
    }
    return { role };
  }
}

/** Until the transaction ends, or `roleOff`, statements have the rights of the tables' own role. */
const roleOn = `SET LOCAL ROLE ${lookupRole}`;
const roleOff = "SET LOCAL ROLE NONE";

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
async function prepare(
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

const lockStoreStatement = statement("lookup-hold-store")`
  SELECT pg_advisory_xact_lock_shared(hashtext('lookup-tables'))`;

/** Until the transaction ends, nothing is swept: what is made now is not in the catalogue yet. */
export async function lockStore(tx: Transaction): Promise<void> {
  await tx.query(lockStoreStatement);
}

const tryLockExclusive = statement<{ locked: boolean }>("lookup-hold-store-alone")`
  SELECT pg_try_advisory_xact_lock(hashtext('lookup-tables')) AS locked`;

/** Whether nobody makes tables or columns now; nobody does until the transaction ends. */
export async function tryLockStore(tx: Transaction): Promise<boolean> {
  return (await tx.query(tryLockExclusive))[0]!.locked;
}
