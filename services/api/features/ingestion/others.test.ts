import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { openTestIngestion, type TestIngestion } from "#test/support/http/ingestion.ts";
import { openApiDocument } from "#services/api/openapi.ts";
import { ingestionRoutes } from "./routes.ts";

let test: TestDatabase;
let ingestion: TestIngestion;
let routes: ReturnType<typeof ingestionRoutes>["routes"];

beforeAll(async () => {
  test = await testDatabase();
  ingestion = openTestIngestion(test, {
    open: (context) => {
      const feature = ingestionRoutes(context);
      routes = feature.routes;
      return feature;
    },
  });
});
afterAll(async () => {
  await ingestion.close();
  await test.drop();
});

const one = async (sql: string, values: unknown[] = []) => (await test.db.query(sql, values))[0];

describe("POST /ingestion/datasources", () => {
  const register = (items: object[], authorization?: string) =>
    ingestion.api.send("POST", "/ingestion/datasources", { items }, {
      ...(authorization ? { authorization } : {}),
    });
  const source = (catrn: string) =>
    one("SELECT name, description, collector_id, namespace_id FROM data_source WHERE catrn = $1", [
      catrn,
    ]);

  it("registers, updates and repeats without harm, keeping what is not given", async () => {
    const sources = [{ catrn: "//s/1", name: "a", description: "d" }, {
      catrn: "//s/2",
      name: "b",
    }];
    for (let n = 0; n < 2; n++) {
      const answer = await register(sources);
      expect([answer.status, answer.text]).toEqual([200, ""]);
    }
    await register([{ catrn: "//s/1", name: "renamed", description: null }]);
    expect(await source("//s/1")).toMatchObject({ name: "renamed", description: "d" });
    expect(await one("SELECT count(*) FROM data_source WHERE catrn LIKE '//s/%'"))
      .toEqual({ count: 2 });
  });

  it("takes the last of several with one CATRN, and the upstream spelling", async () => {
    const text = '{"items":[{"oddrn":"//s/3","name":"a"},{"oddrn":"//s/3","name":"b"}]}';
    expect((await ingestion.api.post("/ingestion/datasources", text)).status).toBe(200);
    expect(await source("//s/3")).toMatchObject({ name: "b" });
  });

  it("ties sources to the collector whose token is sent, and ignores any other token", async () => {
    const made = await one(
      `WITH n AS (INSERT INTO namespace (name) VALUES ('ns') RETURNING id),
            t AS (INSERT INTO token (digest, hint) VALUES (sha256('secret-token'), 'oken') RETURNING id)
       INSERT INTO collector (name, namespace_id, token_id)
       SELECT 'c', n.id, t.id FROM n, t RETURNING id, namespace_id`,
    );
    expect((await register([{ catrn: "//s/4", name: "a" }], "Bearer secret-token")).status).toBe(
      200,
    );
    const tied = { collector_id: made!.id, namespace_id: made!.namespace_id };
    expect(await source("//s/4")).toMatchObject(tied);
    for (const authorization of ["Bearer wrong", "Basic c2VjcmV0", "Bearer ", "nonsense"]) {
      const answer = await register([{ catrn: "//s/4", name: "b" }], authorization);
      expect(answer.status, authorization).toBe(200);
    }
    expect(await source("//s/4")).toMatchObject({ name: "b", ...tied });
  });

  it("names what is wrong with 400", async () => {
    const answer = await register([{ name: "a" }, { catrn: "x".repeat(1_001), name: 3 }]);
    expect([answer.status, answer.json.details.map((d: { field: string }) => d.field)]).toEqual([
      400,
      ["items[0].catrn", "items[1].catrn", "items[1].name"],
    ]);
    expect((await ingestion.api.post("/ingestion/datasources", "nonsense")).json.code).toBe(
      "USR001",
    );
  });

  it("lets eight register overlapping sources at once", async () => {
    const sources = Array.from({ length: 50 }, (_, i) => ({ catrn: `//many/${i}`, name: "n" }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => register(n % 2 ? sources : [...sources].reverse())),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });
});

describe("POST /ingestion/metrics", () => {
  const send = (timestamp: string | undefined, value: number, help?: string) => {
    const metric_points = [{ timestamp, gauge_value: { value } }];
    const labels = [{ name: "z", value: "1" }, { name: "a", value: "2" }];
    const metrics = [{ labels: value % 2 ? labels : labels.toReversed(), metric_points }];
    const metric_families = [{ name: "rows", type: "GAUGE", unit: "n", help, metrics }];
    return ingestion.api.post("/ingestion/metrics", { items: [{ catrn: "//d", metric_families }] });
  };
  const read = () =>
    test.db.query(
      `SELECT f.description, m.labels, m.point->'gauge_value'->'value' AS value
       FROM metric_series m JOIN metric_family f ON f.id = m.family_id`,
    );

  it("keeps the latest point of a series, whatever the order of labels and arrival", async () => {
    for (
      const [time, value] of [["2024-01-02T00:00:00Z", 1], ["2024-01-03T00:00:00Z", 2]] as const
    ) {
      const answer = await send(time, value, "Rows");
      expect([answer.status, answer.text]).toEqual([201, ""]);
    }
    await send("2024-01-01T00:00:00Z", 3);
    const labels = [{ name: "a", value: "2" }, { name: "z", value: "1" }];
    expect(await read()).toEqual([{ description: "Rows", labels, value: 2 }]);
  });

  it("names what is wrong with 400", async () => {
    const answer = await ingestion.api.post("/ingestion/metrics", { items: [{ catrn: "a" }] });
    expect([answer.status, answer.json.details[0].field]).toEqual([
      400,
      "items[0].metric_families",
    ]);
  });
});

describe("group members", () => {
  const group = "//g/ü \\ 100%?";
  beforeAll(async () => {
    await test.db.query(
      `WITH e AS (INSERT INTO data_entity (catrn, type_id, hollow, status)
              VALUES ($1, 17, false, 1), ('//m/b', 1, false, 1), ('//m/a', 9, false, 1),
                     ('//m/hollow', null, true, 1), ('//m/deleted', 1, false, 5) RETURNING id, catrn)
       INSERT INTO group_member SELECT g.id, m.id, 'LIST' FROM e g, e m
       WHERE g.catrn = $1 AND m.catrn <> $1`,
      [group],
    );
  });

  it("answers direct members by CATRN in every form of the path", async () => {
    const items = [{ catrn: "//m/a", type: "DASHBOARD" }, { catrn: "//m/b", type: "TABLE" }];
    // Collectors of the upstream ecosystem use the query variant, and read the upstream spelling.
    const aliased = items.map((item) => ({ ...item, oddrn: item.catrn }));
    const name = encodeURIComponent(group);
    for (
      const path of [
        `${name}/children`,
        `degs/children?catrn=${name}`,
        `degs/children?oddrn=${name}`,
      ]
    ) {
      const answer = await ingestion.api.get(`/ingestion/entities/${path}`);
      const expected = path.startsWith("degs") ? aliased : items;
      expect([answer.status, answer.json], path).toEqual([200, { items: expected }]);
    }
  });

  it("answers an empty list for an unknown group and 400 for none", async () => {
    expect((await ingestion.api.get("/ingestion/entities/nobody/children")).json).toEqual({
      items: [],
    });
    expect((await ingestion.api.get("/ingestion/entities/a%00b/children")).json).toEqual({
      items: [],
    });
    const none = await ingestion.api.get("/ingestion/entities/degs/children");
    expect([none.status, none.json.details[0].field]).toEqual([400, "catrn"]);
  });
});

describe("the ingestion document", () => {
  it("declares bodies that the handlers read themselves", () => {
    const document = openApiDocument(routes, "ingestion") as {
      paths: Record<string, Record<string, { operationId: string; requestBody?: object }>>;
      components: { schemas: Record<string, object> };
    };
    expect(Object.keys(document.paths).sort()).toEqual([
      "/ingestion/alert/alertmanager",
      "/ingestion/alert/alertrouter",
      "/ingestion/alerts",
      "/ingestion/datasources",
      "/ingestion/entities",
      "/ingestion/entities/datasets/stats",
      "/ingestion/entities/degs/children",
      "/ingestion/entities/{degCatrn}/children",
      "/ingestion/metrics",
    ]);
    const post = document.paths["/ingestion/entities"]!.post!;
    expect(post.operationId).toBe("postDataEntityList");
    expect(JSON.stringify(post.requestBody)).toContain("#/components/schemas/DataEntityList");
    expect(document.components.schemas).toHaveProperty("DataRelationship");
  });
});
