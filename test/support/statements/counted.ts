import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { SharedReads } from "#metadata/postgres/shared-reads.ts";
import type { Statement } from "#metadata/postgres/statement.ts";

/** A database whose statements are noted. */
export interface CountedDatabase {
  db: Database;
  /** What `work` returned, and the names of the statements that were run meanwhile; texts of those without a name. */
  during<T>(work: () => Promise<T>): Promise<{ outcome: T; statements: string[] }>;
}

/** Statements that a timer runs, whoever calls what at the time. */
const background = new Set(["entity-views"]);

/** The same database; `BEGIN` and `COMMIT` do not count. */
export function countedDatabase(counted: Database): CountedDatabase {
  let statements: string[] = [];
  const note = (statement: Statement<unknown> | string) => {
    const name = typeof statement === "string" ? statement.trim() : statement.name;
    if (!background.has(name)) statements.push(name);
  };
  const noting = (tx: Transaction): Transaction => ({
    ...tx,
    query(statement, values) {
      note(statement);
      return tx.query(statement, values);
    },
  });
  const methods: Pick<Database, "query" | "transaction"> = {
    query(statement, values) {
      note(statement);
      return counted.query(statement, values);
    },
    transaction: (work) => counted.transaction((tx) => work(noting(tx))),
  };
  return {
    db: Object.assign(Object.create(counted) as Database, methods, {
      reads: new SharedReads(methods),
    }),
    async during(work) {
      statements = [];
      const outcome = await work();
      return { outcome, statements };
    },
  };
}
