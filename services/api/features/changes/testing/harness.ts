import { afterAll, afterEach, beforeAll } from "vitest";
import type { Actor } from "#contract/actor.ts";
import { recordActivity } from "#metadata/catalogue/activity.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import type { Context } from "#platform/context.ts";
import { openAccess } from "#platform/operations/access.ts";
import { createApp } from "#platform/http/app.ts";
import { following } from "#services/api/features/changes/limits.ts";
import { type ChangeOptions, changeRoutes } from "#services/api/features/changes/routes.ts";
import { retained } from "#services/housekeeping/retention.queries.ts";
import { sweepOnce } from "#services/housekeeping/retention.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { testContext } from "#test/support/http/api.ts";
import { EventReader } from "#test/support/http/events.ts";

const actor: Actor = { kind: "user", name: "ada", provider: "" };
/** As it is, but quick. */
export const quick = { ...following, pollMs: 20, projectionMs: 50, recheckMs: 50 };

export interface Replica {
  /** Follows; header and address as given. */
  follow(query?: string, last?: string, address?: string): Promise<EventReader>;
  send(path: string, headers?: Record<string, string>, address?: string): Promise<Response>;
  /** Requests only the head. */
  head(): Promise<Response>;
  /** As the process does on shutdown. */
  drain(): void;
  stop(): Promise<void>;
}

/** Processes that stream changes, over the file's own database. */
export function changesUnderTest() {
  let database: TestDatabase;
  const running: { context: Context; replica: Replica }[] = [];
  beforeAll(async () => void (database = await testDatabase()));
  afterEach(async () => {
    for (const { context, replica } of running.splice(0)) {
      await replica.stop();
      await context.wakeups.close();
    }
  });
  afterAll(() => database.drop());

  return {
    get db() {
      return database.db;
    },
    get name() {
      return database.name;
    },
    /** One process; `given` is laid over its context. */
    replica(options: ChangeOptions = {}, given: Partial<Context> = {}): Replica {
      const graph = new PostgresGraph(database.db);
      const context = testContext(database, { graph, ...given });
      const replica = opened(context, options);
      running.push({ context, replica });
      return replica;
    },
    /** What housekeeping does when no more than so many changes may be stored. */
    trim: (keep: number) =>
      sweepOnce(
        { db: database.db, graph: { projection: "inline" } as never },
        retained.find(({ name }) => name === "changes")!,
        keep,
        1_000,
      ),
    /** Something happens to entities, each for itself. */
    happens: (...entities: number[]) =>
      database.db.transaction(async (tx) => {
        for (const id of entities) await happenedTo(tx, id);
      }),
  };
}

/** A process over a context. */
function opened(context: Context, options: ChangeOptions): Replica {
  const { access = openAccess } = options;
  const feature = changeRoutes(context, { access, following: quick, ...options });
  const app = createApp({ ...context, routes: feature.routes, access });
  const readers: EventReader[] = [];
  const accept = { accept: "text/event-stream" };
  const send = async (path: string, headers: Record<string, string> = {}, client = "192.0.2.1") =>
    await app.fetch(new Request(`http://localhost${path}`, { headers }), { client });
  return {
    send,
    async follow(query = "", last, client) {
      const headers = { ...accept, ...(last === undefined ? {} : { "last-event-id": last }) };
      const reader = new EventReader(await send(`/api/changes${query}`, headers, client));
      readers.push(reader);
      return reader;
    },
    async head() {
      const init = { method: "HEAD", headers: accept };
      const request = new Request("http://localhost/api/changes", init);
      return await app.fetch(request, { client: "192.0.2.1" });
    },
    drain: () => feature.stop(),
    async stop() {
      feature.stop();
      for (const reader of readers) await reader.leave();
      await feature.idle();
    },
  };
}

/** Records that something happened to an entity. */
export async function happenedTo(tx: Transaction, entityId: number): Promise<void> {
  await recordActivity(tx, [{ type: "DESCRIPTION_UPDATED", entityId, actor }]);
}

/** The entities that events are about, in order. */
export const entitiesOf = (reader: EventReader): (number | undefined)[] =>
  reader.events.filter(({ kind }) => kind === "activity").map(({ data }) => data.entity_id);
