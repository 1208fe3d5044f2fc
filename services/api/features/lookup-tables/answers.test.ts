import { describe, expect, it } from "vitest";
import { lookupTables } from "#services/api/features/lookup-tables/testing/tables.ts";
import { lookupTableRoutes } from "#services/api/features/lookup-tables/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";

const { api } = featureUnderTest(lookupTableRoutes);
const { withColumns, form, add, rows } = lookupTables(() => api);

describe("a changed row", () => {
  it("updateLookupTableRow 200: answers that row first, then the newest others", async () => {
    const table = await withColumns({ name: "n", field_type: "INTEGER" });
    await add(table, ...Array.from({ length: 60 }, (_, n) => ({ n: String(n) })));
    const patched = async (row: number) => {
      const { json } = await api.send(
        "PATCH",
        `${table.path}/data/${row}`,
        form(table, { n: "-1" }),
      );
      expect(json.page_info).toEqual({ total: 60, hasNext: true });
      return json.items.map(({ row_id }: { row_id: number }) => row_id);
    };
    expect(await patched(3)).toEqual([3, ...Array.from({ length: 49 }, (_, n) => 60 - n)]);
    expect(await patched(60)).toEqual(Array.from({ length: 50 }, (_, n) => 60 - n));
  });
});

describe("importLookupTable", () => {
  it("400: a file that names only the key, of which nothing would be stored", async () => {
    const table = await withColumns({ name: "label", field_type: "VARCHAR" });
    for (const file of ["id\n900\n901\n", "ID", '" id "\r\n5\r\n']) {
      const { status, json } = await api.send("POST", `${table.path}/data/import`, file, {
        "content-type": "text/csv",
      });
      expect([status, json.details]).toEqual([400, [
        {
          field: 'line 1, column "id"',
          message: expect.stringContaining('name a column such as "label"'),
        },
      ]]);
    }
    expect(await rows(table)).toEqual([]);
  });
});
