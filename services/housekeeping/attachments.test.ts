import { afterEach, describe, expect, it } from "vitest";
import { uploadLife } from "#metadata/catalogue/uploads.ts";
import { dropOverdueUploads, piecesWaiting } from "#services/housekeeping/attachments.ts";
import { attachmentsUnderTest } from "#services/api/features/attachments/testing/harness.ts";
import { purgeDeleted } from "./purge.ts";

const at = attachmentsUnderTest();
afterEach(() => at.storage.fix());

const later = (ms: number) => new Date(Date.now() + ms);
const minute = 60_000;
const status = (id: number, code: number) =>
  at.database.db.query(
    "UPDATE data_entity SET status = $2, status_updated_at = '2020-01-01' WHERE id = $1",
    [id, code],
  );
const purge = () => purgeDeleted(at.database.db, new Date("2025-01-01"), 100);
const objects = () => at.storage.objects.size;

describe("bytes go after what they belong to", () => {
  it("of a deleted file soon, of no other", async () => {
    const id = await at.entity();
    const [gone, retained] = [await at.attach(id, "gone"), await at.attach(id, "kept")];
    await at.api.delete(at.pathOf(id, `/files/${gone.id}`));
    expect(objects()).toBe(2);
    expect(await piecesWaiting(at.database, later(minute))).toEqual({ waiting: 1, stuck: 0 });
    expect(await at.sweep(later(minute))).toBe(1);
    expect([objects(), await at.pieces()]).toEqual([1, { stored: 1, spare: 0 }]);
    expect((await at.download(id, retained.id)).text).toBe("kept");
  });

  it("stay while an entity is deleted, and are there when it is restored", async () => {
    const id = await at.entity();
    const file = await at.attach(id, "kept");
    await at.api.post(at.pathOf(id, "/links"), {
      items: [{ name: "a", url: "https://a.example" }],
    });
    await status(id, 5);
    await at.sweep(later(minute));
    expect((await at.download(id, file.id)).text).toBe("kept");
    await status(id, 1);
    const { files, links } = await at.list(id);
    expect([files.length, links.length]).toEqual([1, 1]);
  });

  it("go with a purged entity: files, links, open uploads; what is hollow by then shows none", async () => {
    await at.sweep(later(minute));
    const [id, other] = [await at.entity(), await at.entity()];
    const retained = await at.attach(other, "kept");
    const before = objects();
    await at.attach(id, "gone");
    await at.send(await at.begin(id), 0, "open");
    await at.api.post(at.pathOf(id, "/links"), {
      items: [{ name: "a", url: "https://a.example" }],
    });
    await status(id, 5);
    expect((await purge()).removed).toBe(1);
    const rows = (table: string) =>
      at.database.db.query(`SELECT FROM ${table} WHERE entity_id = $1`, [id]);
    expect([await rows("attachment_file"), await rows("attachment_link")]).toEqual([[], []]);
    expect(await at.sweep(later(minute))).toBe(2);
    expect(objects()).toBe(before);
    expect((await at.download(other, retained.id)).text).toBe("kept");
  });

  it("a chunk that comes while its entity is purged is not taken", async () => {
    const id = await at.entity();
    const ref = await at.begin(id);
    at.storage.after = async () => {
      await status(id, 5);
      await purge();
    };
    expect((await at.send(ref, 0, "x")).status).toBe(404);
    at.storage.fix();
    const before = (await at.pieces()).stored;
    await at.sweep();
    expect([objects(), (await at.pieces()).spare]).toEqual([before, 0]);
  });

  it("of uploads that were not completed within a day, which are gone then", async () => {
    await at.sweep();
    const before = objects();
    const id = await at.entity();
    const [old, fresh] = [await at.begin(id), await at.begin(id)];
    await at.send(old, 0, "old");
    await at.send(fresh, 0, "fresh");
    await at.database.db.query(
      "UPDATE attachment_file SET started_at = now() - interval '1 hour' WHERE upload_id = $1",
      [old.upload],
    );
    expect(await dropOverdueUploads(at.database, later(0), 10)).toBe(0);
    expect(await dropOverdueUploads(at.database, later(uploadLife - minute), 10)).toBe(1);
    expect((await at.complete(old)).status).toBe(404);
    await at.sweep(later(minute));
    expect(objects()).toBe(before + 1);
    expect((await at.complete(fresh)).status).toBe(200);
  });
});

describe("a storage that fails", () => {
  /** Deletes this many files. */
  async function deleted(count: number): Promise<void> {
    const id = await at.entity();
    for (let n = 0; n < count; n++) {
      const { id: file } = await at.attach(id, `${n}`);
      await at.api.delete(at.pathOf(id, `/files/${file}`));
    }
  }

  it("loses nothing: the job fails, and goes on when it is back", async () => {
    await at.sweep();
    const before = objects();
    await deleted(3);
    at.storage.goDown();
    await expect(at.sweep(later(minute))).rejects.toThrow("not available");
    expect(await piecesWaiting(at.database, later(minute))).toEqual({ waiting: 3, stuck: 3 });
    at.storage.fix();
    expect(await at.sweep(later(10 * minute))).toBe(3);
    expect(objects()).toBe(before);
  });

  it("an object that cannot be removed stops no other, and is tried again", async () => {
    await at.sweep();
    const before = objects();
    await deleted(4);
    const [stuck] = [...at.storage.objects.keys()].slice(before);
    at.storage.before = (_, key) =>
      key === stuck ? Promise.reject(new Error("no")) : Promise.resolve();
    expect(await at.sweep(later(minute))).toBe(3);
    expect(await at.sweep(later(minute))).toBe(0);
    at.storage.fix();
    expect(await at.sweep(later(90 * minute))).toBe(1);
    expect(objects()).toBe(before);
  });

  it("many objects that cannot be removed stop none of the others, however often they are tried", async () => {
    await at.sweep();
    const before = objects();
    await deleted(40);
    const stuck = new Set([...at.storage.objects.keys()].slice(before, before + 35));
    at.storage.before = (_, key) =>
      stuck.has(key) ? Promise.reject(new Error("no")) : Promise.resolve();
    for (let run = 0; run < 3 && objects() > before + stuck.size; run++) {
      await at.sweep(later(minute + run * 6 * minute)).catch(() => {});
    }
    expect(objects()).toBe(before + stuck.size);
    expect(await piecesWaiting(at.database, later(minute)))
      .toEqual({ waiting: stuck.size, stuck: stuck.size });
    at.storage.fix();
    expect(await at.sweep(later(120 * minute))).toBe(stuck.size);
    expect(await piecesWaiting(at.database, later(120 * minute))).toEqual({ waiting: 0, stuck: 0 });
  });

  it("what could not be removed becomes part of no file, even while its upload still is under way", async () => {
    await at.sweep();
    const ref = await at.begin(await at.entity());
    at.storage.after = async (call) => {
      if (call !== "put") return;
      at.storage.before = () => Promise.reject(new Error("no"));
      await at.sweep(later(uploadLife + minute)).catch(() => {});
    };
    expect((await at.send(ref, 0, "x")).status).toBe(503);
    at.storage.fix();
    expect((await at.complete(ref)).status).toBe(400);
    await at.sweep();
    expect((await at.pieces()).spare).toBe(0);
  });

  it("a process that ends between object and row leaves a row, which goes next time", async () => {
    await at.sweep();
    await deleted(1);
    at.storage.objects.clear();
    expect(await at.sweep(later(minute))).toBe(1);
    expect((await at.pieces()).spare).toBe(0);
  });
});
