import type { Database, Queryable } from "#metadata/postgres/database.ts";
import type { Statement } from "#metadata/postgres/statement.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { createFeatures } from "#services/api/features.ts";
import type { BenchRequest } from "./operations.ts";

/** What a request asks of the metadata store. */
export interface BoundStatement {
  statement: Statement<unknown> | string;
  values: unknown[];
}

/** Runs it; what it inserts under an id of its own gets a new one each time. */
export async function runBare(db: Queryable, { statement, values }: BoundStatement): Promise<void> {
  const text = typeof statement === "string" ? statement : statement.text;
  const inserts = text.includes("INSERT INTO");
  const freshValue = (value: unknown) => inserts && isUuid(value) ? crypto.randomUUID() : value;
  await db.query(statement, values.map(freshValue));
}

const isUuid = (value: unknown) => typeof value === "string" && /^[0-9a-f-]{36}$/.test(value);

/** Answers requests in this process and keeps the statements that each of them takes. */
export class Recorder {
  readonly #db: Database;
  readonly #api: TestApi;
  #recorded: BoundStatement[] = [];

  constructor(db: Database, url: string, name: string) {
    this.#db = db;
    const context = testContext(
      { db: this.#recording(), url, name, drop: () => Promise.resolve() },
      { graph: new PostgresGraph(db) },
    );
    const routes = createFeatures(context).flatMap((feature) => feature.routes);
    this.#api = testApi(routes, context);
  }

  /** The statements that a request takes, in their order. */
  async statementsOf({ method, path, body }: BenchRequest): Promise<BoundStatement[]> {
    this.#recorded = [];
    const { status, text } = await this.#api.send(method, path, body);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
    return this.#recorded;
  }

  #recording(): Database {
    const record = (on: Queryable): Queryable["query"] => (statement, values = []) => {
      this.#recorded.push({ statement: statement as BoundStatement["statement"], values });
      return on.query(statement, values);
    };
    const query = record(this.#db);
    return new Proxy(this.#db, {
      get: (target, key) => {
        if (key === "query") return query;
        if (key === "reads") return { query };
        if (key !== "transaction") return Reflect.get(target, key, target);
        const within: Database["transaction"] = (work) =>
          target.transaction((tx) => work({ kind: "transaction", query: record(tx) }));
        return within;
      },
    });
  }
}
