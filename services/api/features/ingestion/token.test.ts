import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAccess } from "#services/api/access/service.ts";
import { ingestionRoutes } from "#services/api/features/ingestion/routes.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { applyingAt, openTestIngestion, type TestIngestion } from "#test/support/http/ingestion.ts";

const tokens = { own: "of-a-source", collector: "of-a-collector", other: "of-another" };

describe.each(["DISABLED", "LOGIN_FORM"])("the ingestion filter under %s", (type) => {
  let database: TestDatabase;
  let ingestion: TestIngestion;

  beforeAll(async () => {
    database = await testDatabase();
    await database.db.query(
      `WITH t AS (INSERT INTO token (digest, hint)
         SELECT sha256(convert_to(v, 'UTF8')), '' FROM unnest($1::text[]) v RETURNING id, digest),
       c AS (INSERT INTO collector (name, token_id) SELECT v, t.id FROM unnest($1::text[]) v
         JOIN t ON t.digest = sha256(convert_to(v, 'UTF8')) WHERE v <> $2 RETURNING id, name)
       INSERT INTO data_source (catrn, name, collector_id, token_id)
       SELECT '//own', 'own', (SELECT id FROM c WHERE name = $3),
              (SELECT id FROM t WHERE digest = sha256(convert_to($2, 'UTF8')))
       UNION ALL SELECT '//collected', 'collected', (SELECT id FROM c WHERE name = $3), NULL`,
      [Object.values(tokens), tokens.own, tokens.collector],
    );
    ingestion = openTestIngestion(database, {
      auth: { type, ingestion: { filter: { enabled: true } } },
      access: openAccess,
      open: (context) => ingestionRoutes(context, { pollMs: 20 }),
    });
    ingestion.onPublish = applyingAt(database, 1);
  });
  afterAll(async () => {
    await ingestion.close();
    await database.drop();
  });

  const send = async (path: string, body: object, token?: string, method = "POST") => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const given = method === "GET" ? undefined : body;
    return (await ingestion.api.send(method, path, given, headers as HeadersInit)).status;
  };
  const batch = (source: string) => ({
    data_source_catrn: source,
    items: [{ catrn: `${source}/t`, name: "t", type: "TABLE", dataset: { field_list: [] } }],
  });

  it.each(
    [
      ["//own", "own", 200],
      ["//own", "collector", 401],
      ["//own", "other", 401],
      ["//collected", "collector", 200],
      ["//collected", "own", 401],
      ["//collected", "other", 401],
    ] as const,
  )("a batch of %s with the token %s: %i", async (source, token, status) => {
    expect(await send("/ingestion/entities", batch(source), tokens[token])).toBe(status);
  });

  it("a batch without a token, or with an unknown one: 401, and nothing is published", async () => {
    const before = ingestion.published.length;
    expect(await send("/ingestion/entities", batch("//own"))).toBe(401);
    expect(await send("/ingestion/entities", batch("//own"), "unknown")).toBe(401);
    expect(ingestion.published.length).toBe(before);
  });

  it("data sources are registered by collectors only", async () => {
    const list = { items: [{ catrn: "//new", name: "new" }] };
    expect(await send("/ingestion/datasources", list)).toBe(401);
    expect(await send("/ingestion/datasources", list, tokens.own)).toBe(401);
    expect(await send("/ingestion/datasources", list, tokens.collector)).toBe(200);
  });

  it("no collector takes over a source of another, or one with a token of its own", async () => {
    const taken = (catrn: string, token: string) =>
      send("/ingestion/datasources", { items: [{ catrn, name: "mine" }] }, token);
    expect(await taken("//collected", tokens.other)).toBe(403);
    expect(await taken("//own", tokens.other)).toBe(403);
    expect(await taken("//collected", tokens.collector)).toBe(200);
    expect(await send("/ingestion/entities", batch("//collected"), tokens.other)).toBe(401);
  });

  it("everything else asks for any registered token", async () => {
    const others: [string, string, object][] = [
      ["POST", "/ingestion/alert/alertrouter", { alerts: [] }],
      ["POST", "/ingestion/alert/alertmanager", { alerts: [] }],
      ["POST", "/ingestion/alerts", { items: [] }],
      ["POST", "/ingestion/metrics", { items: [] }],
      ["POST", "/ingestion/entities/datasets/stats", { items: [] }],
      ["GET", "/ingestion/entities/x/children", {}],
      ["GET", "/ingestion/entities/degs/children?catrn=x", {}],
    ];
    for (const [method, path, body] of others) {
      expect(await send(path, body, undefined, method), path).toBe(401);
      for (const token of [tokens.own, tokens.collector, tokens.other]) {
        expect(await send(path, body, token, method), path).toBeLessThan(300);
      }
    }
  });
});

it("without the filter nobody asks for a token, and a wrong one is ignored", async () => {
  const database = await testDatabase();
  const ingestion = openTestIngestion(database, {
    auth: { type: "LOGIN_FORM" },
    access: openAccess,
    open: (context) => ingestionRoutes(context),
  });
  for (const headers of [{}, { authorization: "Bearer unknown" }]) {
    const answer = await ingestion.api.send(
      "POST",
      "/ingestion/datasources",
      { items: [{ catrn: "//free", name: "free" }] },
      headers as HeadersInit,
    );
    expect(answer.status).toBe(200);
  }
  await ingestion.close();
  await database.drop();
});
