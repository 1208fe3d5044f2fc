import { describe, expect, it } from "vitest";
import {
  exportRows,
  importRows,
  transferSlots,
} from "#services/api/features/lookup-tables/service.ts";
import { LookupStore } from "#platform/lookup-store.ts";
import {
  type CreatedTable,
  lookupTables,
} from "#services/api/features/lookup-tables/testing/tables.ts";
import { lookupTableRoutes } from "#services/api/features/lookup-tables/routes.ts";
import { eventually } from "#test/support/eventually.ts";
import { Slots } from "#services/api/transfers.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";

const feature = featureUnderTest(lookupTableRoutes);
const { withColumns, add, rows, addColumns } = lookupTables(() => feature.api);
const text = { field_type: "VARCHAR" } as const;

const deps = (slots: Slots) => ({
  ...feature.context,
  store: new LookupStore(feature.context),
  slots,
  maxWaitMs: 200,
});
const full = (slots: Slots) => expect(() => slots.take()).toThrow(/Too many/);
const free = (slots: Slots) => eventually(() => slots.take()());
/** More than is read ahead. */
async function large(): Promise<CreatedTable> {
  const table = await withColumns({ name: "a", ...text });
  const row = { a: "x".repeat(10_000) };
  for (let n = 0; n < 8; n++) await add(table, ...Array.from({ length: 200 }, () => row));
  return table;
}
const contentOf = async (slots: Slots, { id }: CreatedTable) =>
  (await exportRows(deps(slots), id, "csv")).raw!.content as ReadableStream<Uint8Array>;

describe("an export", () => {
  it("ends when nobody reads it, and frees its place", async () => {
    const slots = new Slots(1, "transfers");
    const content = await contentOf(slots, await large());
    full(slots);
    await free(slots);
    await expect(new Response(content as BodyInit).text()).rejects.toThrow();
  });

  it("ends when its reader has gone", async () => {
    const slots = new Slots(1, "transfers");
    const content = await contentOf(slots, await large());
    await content.cancel();
    await free(slots);
  });

  it("shows the rows of one time, whatever is written meanwhile", async () => {
    const slots = new Slots(1, "transfers");
    const table = await large();
    const content = await exportRows({ ...deps(slots), maxWaitMs: 20_000 }, table.id, "csv");
    await add(table, { a: "late" });
    const file = await new Response(content.raw!.content as BodyInit).text();
    expect(file.split("\r\n")).toHaveLength(1 + 1_600 + 1);
    expect(await rows(table, "page=1&size=1")).toMatchObject([{ a: "late" }]);
    await free(slots);
  });

  it("is not waited for by whoever changes columns longer than some seconds", async () => {
    const slots = new Slots(1, "transfers");
    const table = await large();
    const content = await exportRows({ ...deps(slots), maxWaitMs: 20_000 }, table.id, "csv");
    const refused = await addColumns(table.id, [{ name: "b", ...text }]);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "3"]);
    await (content.raw!.content as ReadableStream).cancel();
    await free(slots);
    expect((await addColumns(table.id, [{ name: "b", ...text }])).status).toBe(200);
  });
});

describe("an import", () => {
  it("holds its place until it has ended, and a broken one leaves nothing", async () => {
    const slots = new Slots(1, "transfers");
    const table = await withColumns({ name: "a", ...text });
    let fail = (_: Error) => {};
    const broken = new Promise<never>((_, reject) => void (fail = reject));
    broken.catch(() => {});
    async function* pieces() {
      yield new TextEncoder().encode(`a\n${"x\n".repeat(1_000)}`);
      yield await broken;
    }
    const done = importRows(deps(slots), table.id, "append", pieces());
    await expect(importRows(deps(slots), table.id, "append", pieces())).rejects.toMatchObject({
      status: 503,
      retryAfter: 5,
    });
    fail(new Error("the line broke"));
    await expect(done).rejects.toThrow("the line broke");
    expect(await rows(table)).toEqual([]);
    await free(slots);
  });

  it("goes by the columns and the table that are there when its first line comes", async () => {
    const table = await withColumns({ name: "a", ...text }, { name: "b", ...text });
    async function* late(change: () => Promise<unknown>) {
      await change();
      yield new TextEncoder().encode("a\nx\n");
    }
    const importLate = (change: () => Promise<unknown>) =>
      importRows(deps(new Slots(1, "transfers")), table.id, "append", late(change));
    const dropColumn = () => feature.api.delete(`${table.path}/columns/${table.columns.b}`);
    expect(await importLate(dropColumn)).toEqual({ inserted: 1, total: 1 });
    await expect(importLate(() => feature.api.delete(table.path)))
      .rejects.toMatchObject({ status: 404 });
  });

  it("and a change of columns after its first line are both whole, or one is refused", async () => {
    const table = await withColumns({ name: "a", ...text }, { name: "b", ...text });
    let changed: number | undefined;
    async function* pieces() {
      yield new TextEncoder().encode("a,b\n");
      changed = (await feature.api.delete(`${table.path}/columns/${table.columns.b}`)).status;
      yield new TextEncoder().encode("x,y\n");
    }
    const imported = await importRows(
      deps(new Slots(1, "transfers")),
      table.id,
      "append",
      pieces(),
    )
      .then(({ inserted }) => inserted, ({ status }) => `refused with ${status}`);
    expect([[503, 1], [204, "refused with 400"]]).toContainEqual([changed, imported]);
  });
});

it("transfers leave most connections to others", () => {
  const taken = (slots: Slots) => {
    for (let n = 0;; n++) {
      try {
        slots.take(`caller ${n}`);
      } catch {
        return n;
      }
    }
  };
  expect([4, 8, 24, 500].map((connections) => taken(transferSlots(connections))))
    .toEqual([1, 2, 4, 4]);
});

it("one caller leaves half of them to others", () => {
  const slots = new Slots(4, "transfers");
  const give = slots.take("mallory");
  slots.take("mallory");
  expect(() => slots.take("mallory")).toThrow(expect.objectContaining({ status: 429 }));
  slots.take("ada");
  slots.take("bob");
  expect(() => slots.take("cyd")).toThrow(expect.objectContaining({ status: 503 }));
  give();
  give();
  slots.take("mallory");
  expect(() => slots.take("cyd")).toThrow(expect.objectContaining({ status: 503 }));
});
