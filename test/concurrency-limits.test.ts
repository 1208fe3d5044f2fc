import { describe, expect, it } from "vitest";
import { Config } from "#platform/config/schema.ts";
import { maxPolicies, maxRoles } from "#services/api/access/permissions/policy/document.ts";
import { assetRoutes } from "#services/api/features/assets/routes.ts";
import { maxFavorites } from "#services/api/features/assets/service.ts";
import { maxOpen } from "#services/api/features/attachments/limits.ts";
import { attachmentRoutes } from "#services/api/features/attachments/routes.ts";
import { maxPhysicalTables, maxTables } from "#services/api/features/lookup-tables/limits.ts";
import { lookupTableRoutes } from "#services/api/features/lookup-tables/routes.ts";
import { lookupTables } from "#services/api/features/lookup-tables/testing/tables.ts";
import { policyRoutes } from "#services/api/features/policies/routes.ts";
import { roleRoutes } from "#services/api/features/roles/routes.ts";
import { TestStorage } from "#test/support/engines/storage.ts";
import type { Answer } from "#test/support/http/api.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const maxRows = 7;

const { api, database } = featureUnderTest((given) => {
  const config = Config.parse({ metadata: { lookup: { "max-rows": maxRows } } });
  const context = { ...given, config, storage: new TestStorage() };
  return [
    ...assetRoutes(context),
    ...attachmentRoutes(context),
    ...lookupTableRoutes(context),
    ...policyRoutes(context),
    ...roleRoutes(context),
  ];
});

const many = 8;

/** How many of many requests that come at once succeed; the others must all be refused with this status. */
async function takenOf(ask: (n: number) => Promise<Answer>, refused = 400): Promise<number> {
  const statuses = await Promise.all(
    Array.from({ length: many }, async (_, n) => (await ask(n)).status),
  );
  const taken = statuses.filter((status) => status < 300);
  expect(statuses.filter((status) => status >= 300)).toEqual(
    Array(many - taken.length).fill(refused),
  );
  return taken.length;
}

const query = (sql: string, values: unknown[] = []) =>
  database.db.query<{ n: number }>(sql, values);
const count = async (what: string) => (await query(`SELECT count(*) AS n FROM ${what}`))[0]!.n;
const entities = (catrn: string) =>
  `INSERT INTO data_entity (catrn, external_name, type_id, class_ids)
   SELECT '${catrn}' || n, 'e', 1, '{1}' FROM generate_series(1, $1::integer) n RETURNING id`;

describe("a limit that counts holds while many requests come at once", () => {
  it("favorites of a user", async () => {
    await query(
      `WITH e AS (${entities("//favorite/")})
       INSERT INTO favorite (username, provider, entity_id) SELECT '', '', id FROM e`,
      [maxFavorites - 1],
    );
    const ids = await Promise.all(Array.from({ length: many }, () => seedEntity(database.db)));
    const taken = await takenOf((n) => api.put(`/api/favorites/DATA_ENTITY/${ids[n]}`));
    expect([taken, await count("favorite")]).toEqual([1, maxFavorites]);
  });

  it("uploads that are not complete, of all entities", async () => {
    await query(
      `WITH e AS (${entities("//uploading/")})
       INSERT INTO attachment_file (entity_id, upload_id, name)
       SELECT id, gen_random_uuid(), 'f' FROM e`,
      [maxOpen - 1],
    );
    const ids = await Promise.all(Array.from({ length: many }, () => seedEntity(database.db)));
    const taken = await takenOf(
      (n) => api.post(`/api/dataentities/${ids[n]}/files/uploads`, { fileName: "f" }),
      429,
    );
    expect([taken, await count("attachment_file")]).toEqual([1, maxOpen]);
  });

  it("policies and roles", async () => {
    const document = '{"statements": []}';
    const policies = maxPolicies - 1 - await count("policy");
    const insert = "INSERT INTO policy (name, document) SELECT 'p' || n, $2";
    await query(`${insert} FROM generate_series(1, $1::integer) n`, [policies, document]);
    const roles = maxRoles - 1 - await count("role");
    await query("INSERT INTO role (name) SELECT 'r' || n FROM generate_series(1, $1::integer) n", [
      roles,
    ]);
    const policy = JSON.stringify({
      statements: [{ resource: { type: "TERM" }, permissions: ["ALL"] }],
    });
    expect(await takenOf((n) => api.post("/api/policies", { name: `new ${n}`, policy }))).toBe(1);
    expect(await takenOf((n) => api.post("/api/roles", { name: `new ${n}`, policies: [] }))).toBe(
      1,
    );
    expect([await count("policy"), await count("role")]).toEqual([maxPolicies, maxRoles]);
  });
});

describe("lookup tables", () => {
  const tables = lookupTables(() => api);
  const make = (name: string) =>
    api.post("/api/referencedata/table", { name, namespace_name: name });

  /** Rows of tables in the catalogue alone. */
  const stand = (more: number, status: number) =>
    query(
      `WITH e AS (INSERT INTO data_entity (catrn, external_name, type_id, class_ids, status)
         SELECT '//table/' || gen_random_uuid(), 't', 1, '{1}', $2 FROM generate_series(1, $1::integer)
         RETURNING id),
       n AS (INSERT INTO namespace (name) VALUES ('standing') ON CONFLICT (name) DO UPDATE SET name = 'standing'
             RETURNING id)
       INSERT INTO lookup_table (entity_id, namespace_id, name, normalised, physical_name, created_at, updated_at)
       SELECT e.id, n.id, 't', 't' || e.id, 'p' || e.id, now(), now() FROM e, n`,
      [more, status],
    );

  it("rows of one, written by forms and by files", async () => {
    const table = await tables.withColumns({ name: "a", field_type: "VARCHAR" });
    expect(await takenOf(() => tables.add(table, { a: "x" }, { a: "y" }))).toBe(3);
    const other = await tables.withColumns({ name: "a", field_type: "VARCHAR" });
    const send = () =>
      api.send("POST", `${other.path}/data/import`, "a\nx\ny\n", { "content-type": "text/csv" });
    // As many imports as there may be at once are let in.
    const statuses = (await Promise.all([send(), send(), send(), send()])).map((a) => a.status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(3);
    expect((await tables.rows(other)).length).toBeLessThanOrEqual(maxRows);
  });

  it("that are deleted take no place, until they are as many as those that may be there", async () => {
    await stand(maxTables - 1, 5);
    expect((await make("beside deleted ones")).status).toBe(200);
    await stand(maxTables - 1 - await count(live), 1);
    expect(await takenOf((n) => make(`live ${n}`))).toBe(1);
    await query(
      "UPDATE data_entity SET status = 5 WHERE id IN (SELECT entity_id FROM lookup_table)",
    );
    await stand(maxPhysicalTables - 1 - await count("lookup_table"), 5);
    expect(await takenOf((n) => make(`standing ${n}`))).toBe(1);
    const refused = await make("one more");
    expect(refused.json.message).toContain("housekeeping.ttl.data_entity_delete_days");
    expect(await count("lookup_table")).toBe(maxPhysicalTables);
  });

  const live = `lookup_table t JOIN data_entity e ON e.id = t.entity_id WHERE is_live(e.status)`;
});
