import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { smallRunEvent } from "#contract/openlineage/testing/samples.ts";
import { openAccess } from "#services/api/access/service.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { openTestIngestion, type TestIngestion } from "#test/support/http/ingestion.ts";
import { lineageIntakeRoutes } from "../intake/routes.ts";
import { intakeWarningRoutes } from "./routes.ts";

const one = "/api/v1/lineage";

let database: TestDatabase;
let ingestion: TestIngestion;

function open(auth = {}): TestIngestion {
  return openTestIngestion(database, {
    auth,
    access: openAccess,
    open: (context) => {
      const { routes, stop } = lineageIntakeRoutes(context);
      return { routes: [...routes, ...intakeWarningRoutes(context)], stop };
    },
  });
}

beforeAll(async () => {
  database = await testDatabase();
  ingestion = open();
});
afterAll(async () => {
  await ingestion.close();
  await database.drop();
});

const text = JSON.stringify;
const post = (path: string, body: string) => ingestion.api.send("POST", path, body);

describe("tokens", () => {
  it("are requested where ingestion asks for them", async () => {
    await database.db.query(
      `WITH t AS (INSERT INTO token (digest, hint)
         VALUES (sha256(convert_to('of-a-collector', 'UTF8')), '') RETURNING id)
       INSERT INTO collector (name, token_id) SELECT 'lineage', id FROM t`,
    );
    const guarded = open({ ingestion: { filter: { enabled: true } } });
    const status = async (authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization };
      const sent = await guarded.api.send(
        "POST",
        one,
        text(smallRunEvent()),
        headers as HeadersInit,
      );
      return [sent.status, sent.headers.get("www-authenticate")?.split(" ")[0]];
    };
    expect(await status()).toEqual([401, "Bearer"]);
    expect(await status("Bearer wrong")).toEqual([401, "Bearer"]);
    expect(await status("Bearer of-a-collector")).toEqual([200, undefined]);
    await guarded.close();
  });
});

describe("intake warnings", () => {
  it("tell what was refused or left out, counted, without what was sent", async () => {
    const namespace = "complained";
    const event = {
      ...smallRunEvent(),
      job: { namespace, name: "j", facets: { sql: "secret" } },
      inputs: [{ name: "secret" }, { name: "secret" }],
    };
    await post(one, text(event));
    await post(one, text(event));
    await post(one, '{"secret');
    const listed = await eventually(async () => {
      const { json } = await ingestion.api.get(
        `/api/openlineage/complaints?namespace=${namespace}`,
      );
      expect(json.items).toHaveLength(2);
      return json.items;
    });
    expect(listed.map(({ at: _, ...item }: { at: string }) => item)).toEqual(
      expect.arrayContaining([
        {
          namespace,
          name: "j",
          kind: "dropped",
          reason: "job.facets.sql: must be an object",
          count: 2,
        },
        {
          namespace,
          name: "j",
          kind: "dropped",
          reason: "inputs[].namespace: is missing",
          count: 4,
        },
      ]),
    );
    const all = await ingestion.api.get("/api/openlineage/complaints?limit=1000");
    expect(all.text).toContain("the event is no JSON that is taken");
    expect(all.text).not.toContain("secret");
    expect((await ingestion.api.get("/api/openlineage/complaints?limit=1")).json.items)
      .toHaveLength(1);
  });
});
