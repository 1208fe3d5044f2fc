import { messageOf } from "#kit/errors.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import type { Physical, SequenceAdvance } from "./physical.ts";
import { stepBack } from "./rows.queries.ts";
import { prepare, roleOff, roleOn } from "./prepare.queries.ts";

type Deps = Pick<Context, "db" | "lookup" | "config" | "log">;

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
      for (const one of undo) await stepBack(on, one);
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
