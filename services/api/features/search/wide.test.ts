import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { maxFields } from "#contract/ingestion/limits.ts";
import { wordBytes } from "#services/api/features/search/service.ts";
import { searchFixture } from "#services/api/features/search/testing/fixture.ts";
import { seedWide, wideName } from "#services/api/features/search/testing/wide.ts";
import * as seed from "#test/support/seed/seed.ts";

let at: Awaited<ReturnType<typeof searchFixture>>;
let wide: number;
let other: number;
beforeAll(async () => {
  at = await searchFixture();
  const sourceId = await seed.seedSource(at.database.db, { name: "warehouse" });
  wide = await seed.seedEntity(at.database.db, { sourceId, name: "telemetry_flat" });
  other = await seed.seedEntity(at.database.db, { sourceId, name: "telemetry_other" });
  await seedWide(at.database.db, wide, maxFields);
  await seedWide(at.database.db, other, maxFields / 2);
  await refresh(wide, other);
});
afterAll(() => at.close());

const refresh = (...ids: number[]) =>
  at.database.db.query("SELECT refresh_search_documents($1)", [ids]);
interface Truncation {
  expected: number;
  cut: number;
}
const rows = <T extends object>(statement: string) => at.database.db.query<T>(statement);
const first = wideName(1);
const middle = wideName(maxFields / 2 + 1);
const last = wideName(maxFields);
const search = async (query: string) =>
  (await at.found(await at.begin({ query }))).sort((a, b) => a - b);

describe("a dataset of as many columns as a batch may hold, of 3 MB of names", () => {
  it("is found by every column, whole, by its beginning and by its parts", async () => {
    for (const name of [first, middle, last]) {
      expect(await search(name), name).toContain(wide);
      expect(await search(name.slice(0, -1)), name).toContain(wide);
    }
    expect(await search(last)).toEqual([wide]);
    expect(await search(`reading${maxFields}`)).toEqual([wide]);
    expect(await search(`Celsius${maxFields}`)).toEqual([wide]);
    expect(await search(`celsius_${maxFields}x`)).toEqual([]);
  });

  it("is found by words that stand far apart: two columns, a column and the name of the dataset", async () => {
    expect(await search(`${first} ${middle} ${last}`)).toEqual([wide]);
    expect(await search(`${last} telemetry flat`)).toEqual([wide]);
    expect(await search(`warehouse ${last}`)).toEqual([wide]);
    expect(await search(`${last} other`)).toEqual([]);
    expect(await search(`${first} telemetry`)).toEqual([wide, other]);
    expect(await search(`${last} nowhere`)).toEqual([]);
  });

  it("is counted and offered by facets, and suggested", async () => {
    const started = await at.start({ query: last });
    expect(started.json.total).toBe(1);
    expect(started.json.facet_state.entity_classes)
      .toContainEqual({ id: 1, name: "DATA_SET", count: 1, selected: false });
    expect(await at.values(started.json.search_id, "datasources"))
      .toMatchObject([{ name: "warehouse", count: 1 }]);
    const { json } = await at.api.get(`/api/search/suggestions?query=${last}`);
    expect(json.map(({ id }: { id: number }) => id)).toEqual([wide]);
  });

  it.each([
    ["the first column", first, first],
    ["the last column", last, last],
    ["the last column beside the name of the dataset", `flat ${last}`, last],
    ["a part in camel case", `Celsius${maxFields}`, last],
  ])("shows %s where it matches", async (_, query, name) => {
    const id = await at.begin({ query });
    const { json } = await at.api.get(`/api/search/${id}/data_entities/${wide}/highlights`);
    expect(json.dataset_structure.length).toBeLessThanOrEqual(100);
    expect(json.dataset_structure[0].name.replaceAll(/<\/?b>/g, "")).toBe(name);
  });

  it("is cut in descriptions alone, and this is counted; what it is in has room", async () => {
    const [row] = await rows<Truncation>(`
      SELECT (SELECT sum(octet_length(external_description) + 1)::int FROM dataset_field
               WHERE dataset_id = e.id) AS expected, d.cut_bytes AS cut
        FROM data_entity e JOIN search_document d ON d.entity_id = e.id WHERE e.id = ${wide}`);
    expect(row!.cut).toBe(row!.expected);
  });
});

it.each([[wordBytes, [1]], [wordBytes + 1, []]])(
  "finds a word of up to 2,046 bytes, and none that is longer: %d",
  async (bytes, found) => {
    const id = await seed.seedEntity(at.database.db, { name: `w${bytes}${"x".repeat(bytes - 5)}` });
    await refresh(id);
    expect(await search(`w${bytes}xxx`)).toEqual(found.map(() => id));
  },
);

describe("what follows a wide dataset", () => {
  const countParts = async (id: number) =>
    (await rows(`SELECT FROM search_document_part WHERE entity_id = ${id}`)).length;

  it("an ordinary one has no rows beside its document", async () => {
    expect(await countParts(wide)).toBeGreaterThan(3);
    expect(await countParts(at.ids.orders!)).toBe(0);
  });

  it("a refresh without a change writes none of its parts", async () => {
    const versions = () =>
      rows(
        "SELECT part, xmin::text FROM search_document_part WHERE part > 0 ORDER BY entity_id, part",
      );
    const before = await versions();
    await refresh(wide);
    await refresh(other, at.ids.orders!, wide);
    expect(await versions()).toEqual(before);
  });

  it("columns that are gone are found no more, whether few or many are left", async () => {
    const before = await countParts(other);
    await seedWide(at.database.db, other, maxFields / 4);
    await refresh(other);
    expect(await search(wideName(maxFields / 4 + 1))).toEqual([wide]);
    expect(await search(wideName(maxFields / 4))).toEqual([wide, other]);
    expect(await countParts(other)).toBeLessThan(before);
    await seedWide(at.database.db, other, 10);
    await refresh(other);
    expect(await countParts(other)).toBe(0);
    expect(await search(wideName(10))).toEqual([wide, other]);
  });

  it("it leaves search with its document", async () => {
    await seedWide(at.database.db, other, maxFields / 4);
    await refresh(other);
    const name = wideName(maxFields / 4);
    expect(await search(name)).toEqual([wide, other]);
    await rows(`UPDATE data_entity SET excluded_from_search = true WHERE id = ${other}`);
    expect(await countParts(other)).toBe(0);
    expect(await search(name)).toEqual([wide]);
  });
});
