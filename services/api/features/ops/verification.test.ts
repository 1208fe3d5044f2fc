import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EdgePair, ProjectedGraph } from "#graph/port.ts";
import type { Context } from "#platform/context.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { opsRoutes } from "#services/api/features/ops/routes.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seedShape } from "#test/support/engines/lineage-graph.ts";
import { eventually } from "#test/support/eventually.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";

/** A projected graph of which only what a comparison reads is there. */
class FixedGraph {
  readonly engine = "neo4j";
  readonly projection = "projected";
  edges: EdgePair[] = [];
  at = 0;
  gate: Promise<void> = Promise.resolve();

  async *scan(): AsyncGenerator<EdgePair[]> {
    await this.gate;
    yield this.edges;
  }
  position(): Promise<number> {
    return Promise.resolve(this.at);
  }
  among(ids: number[]) {
    const edges = this.edges.filter((edge) => edge.every((id) => ids.includes(id)));
    return Promise.resolve({ position: this.at, edges });
  }
}

let test: TestDatabase;
let context: Context;
let graph: FixedGraph;
let family: ReturnType<typeof opsRoutes>;
let api: TestApi;
let [a, b, c]: number[] = [];

const headOf = async (db: Database) =>
  (await db.query<{ head: number }>("SELECT lineage_head() AS head"))[0]!.head;

beforeAll(async () => {
  test = await testDatabase();
  graph = new FixedGraph();
  context = testContext(test, { graph: graph as unknown as ProjectedGraph });
  family = opsRoutes(context);
  api = testApi(family.routes, context);
  [a, b, c] = await seedShape(test.db, 3, [[0, 1], [1, 2]]);
});
afterAll(async () => {
  family.stop();
  await context.wakeups.close();
  await test.drop();
});

/** Waits until the last comparison is as told. */
const becomes = (expected: object) =>
  eventually(async () => {
    expect((await api.get("/api/ops/projection")).json.verification).toMatchObject(expected);
  });
const verify = () => api.post("/api/ops/projection/verify");

describe("verifyProjection", () => {
  it("200: tells the differences once it has ended, and auditors who began it", async () => {
    Object.assign(graph, { edges: [[a, b], [c, a]], at: await headOf(test.db) });
    const gate = Promise.withResolvers<void>();
    graph.gate = gate.promise;
    const begun = await verify();
    gate.resolve();
    expect([begun.status, begun.json.state, begun.json.ended_at]).toEqual([200, "RUNNING", null]);
    await becomes({
      state: "DIFFERENT",
      compared: 2,
      missing_count: 1,
      missing: [{ parent_id: b, child_id: c }],
      extra_count: 1,
      extra: [{ parent_id: c, child_id: a }],
      more: false,
      cause: null,
    });
    const auditRows = await test.db.query("SELECT type, subject FROM audit_event");
    expect(auditRows).toEqual([{ type: "PROJECTION_VERIFIED", subject: "graph neo4j" }]);
  });

  it("429 while one runs, wherever; it ends EQUAL", async () => {
    const gate = Promise.withResolvers<void>();
    Object.assign(graph, { edges: [[a, b], [b, c]], gate: gate.promise });
    await verify();
    const elsewhere = opsRoutes(context);
    const second = await testApi(elsewhere.routes, context).post("/api/ops/projection/verify");
    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "10"]);
    expect((await api.get("/api/ops/projection")).json.verification.state).toBe("RUNNING");
    gate.resolve();
    await becomes({ state: "EQUAL", compared: 2, missing: [], extra: [] });
  });

  it("a graph that lags is told, and one that fails: the comparison ends as FAILED", async () => {
    graph.gate = Promise.reject(new Error("the graph is on fire"));
    graph.gate.catch(() => {});
    graph.at = 0;
    await verify();
    await becomes({ state: "FAILED", cause: "the graph is on fire" });
    const head = await headOf(test.db);
    await eventually(async () => {
      expect((await api.get("/api/ops/projection")).json)
        .toMatchObject({ state: "known", position: 0, newest: head, lag: head });
    });
    graph.gate = Promise.resolve();
  });

  it("one whose process was killed counts as failed, and another may begin", async () => {
    await test.db.query(
      `UPDATE graph_verification SET state = 'RUNNING', ended_at = NULL, report = NULL,
              seen_at = now() - interval '31 s'`,
    );
    await becomes({
      state: "FAILED",
      cause: "the process that ran it ended",
    });
    graph.at = await headOf(test.db);
    expect((await verify()).status).toBe(200);
    await becomes({ state: "EQUAL" });
  });

  it("ends when its process stops", async () => {
    const other = opsRoutes(context);
    const gate = Promise.withResolvers<void>();
    graph.gate = gate.promise;
    await testApi(other.routes, context).post("/api/ops/projection/verify");
    other.stop();
    gate.resolve();
    await becomes({
      state: "FAILED",
      cause: "the process that ran it ended",
    });
  });
});
