import { afterAll, beforeAll } from "vitest";
import type { Database } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import type { Route } from "#platform/operations/declare.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import { testDatabase } from "#test/support/engines/database.ts";

export interface FeatureUnderTest {
  api: TestApi;
  database: { readonly db: Database };
  readonly context: Context;
}

/**
 * A family of operations over a database of this file's own. Call it at the top of a test file; what
 * it returns is there once the tests run.
 */
export function featureUnderTest(routes: (context: Context) => Route[]): FeatureUnderTest {
  let opened: { api: TestApi; context: Context; close: () => Promise<void> };
  beforeAll(async () => {
    const database = await testDatabase();
    const context = testContext(database);
    const close = async () => {
      await context.wakeups.close();
      await database.drop();
    };
    opened = { api: testApi(routes(context), context), context, close };
  });
  afterAll(() => opened?.close());
  return {
    api: {
      send: (...request) => opened.api.send(...request),
      get: (path) => opened.api.get(path),
      post: (path, body) => opened.api.post(path, body),
      put: (path, body) => opened.api.put(path, body),
      delete: (path) => opened.api.delete(path),
    },
    database: {
      get db() {
        return opened.context.db;
      },
    },
    get context() {
      return opened.context;
    },
  };
}
