import { expect, it } from "vitest";
import { z } from "zod";
import { Alert, AlertChunkPage } from "#contract/catalogue/alerts.ts";
import { alertRoutes } from "#services/api/features/alerts/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedAlert, seedEntity } from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(alertRoutes);

/** Chunks shown within an alert. */
const shown = 50;

it("chunks beyond those that an alert shows are counted, and can be had page by page", async () => {
  const texts = Array.from({ length: shown + 3 }, (_, n) => `text ${n}`);
  const entity = await seedEntity(database.db);
  const id = await seedAlert(database.db, entity, { chunks: texts });
  const newestFirst = texts.toReversed();
  const list = await api.get("/api/alerts/list");
  const [alert] = z.array(Alert).parse(list.json).filter((one) => one.id === id);
  expect(alert!.alert_chunk_total).toBe(texts.length);
  expect(alert!.alert_chunk_list!.map((c) => c.description)).toEqual(newestFirst.slice(0, shown));

  const pages = await Promise.all([1, 2].map(async (page) => {
    const { json } = await api.get(`/api/alerts/${id}/chunks?page=${page}&size=40`);
    return AlertChunkPage.parse(json);
  }));
  expect(pages.flatMap(({ items }) => items.map((c) => c.description))).toEqual(newestFirst);
  expect(pages.map(({ page_info }) => page_info)).toEqual([
    { total: texts.length, hasNext: true },
    { total: texts.length, hasNext: false },
  ]);
});

it("getAlertChunks 404: an unknown alert, and one of a deleted entity", async () => {
  const gone = await seedAlert(database.db, await seedEntity(database.db, { status: 5 }));
  const orphan = await seedAlert(database.db, null, { type: 4, chunks: ["said"] });
  const statusOf = async (id: number) =>
    (await api.get(`/api/alerts/${id}/chunks?page=1&size=1`)).status;
  expect(await statusOf(999_999_999)).toBe(404);
  expect(await statusOf(gone)).toBe(404);
  expect(await statusOf(orphan)).toBe(200);
});
