import { createHash, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { ObjectStorage } from "#storage/port.ts";
import { bytesOf } from "#test/support/random.ts";

const digest = (bytes: Uint8Array | null) =>
  bytes && createHash("sha256").update(bytes).digest("hex");

/** What every storage of objects promises; `open` opens the same storage each time. */
export function storageConformance(
  engine: ObjectStorage["engine"],
  open: () => Promise<ObjectStorage>,
): void {
  describe(`storage on ${engine}`, () => {
    let storage: ObjectStorage;
    beforeAll(async () => void (storage = await open()));

    it("names its engine", () => expect(storage.engine).toBe(engine));

    it.each([0, 1, 65_537, 4 * 1_048_576])("gives back %i bytes as they were", async (size) => {
      const [key, bytes] = [randomUUID(), bytesOf(size)];
      await storage.put(key, bytes);
      const read = await storage.get(key);
      expect([read?.length, digest(read)]).toEqual([size, digest(bytes)]);
    });

    it("shows what one wrote to another, and after a restart", async () => {
      const key = randomUUID();
      await storage.put(key, bytesOf(10));
      expect((await (await open()).get(key))?.length).toBe(10);
    });

    it("get gives null for what never was", async () => {
      expect(await storage.get(randomUUID())).toBeNull();
    });

    it("delete removes, also what is not there, and nothing else", async () => {
      const [gone, retained] = [randomUUID(), randomUUID()];
      await Promise.all([gone, retained].map((key) => storage.put(key, bytesOf(3))));
      await storage.delete(gone);
      await storage.delete(gone);
      await storage.delete(randomUUID());
      expect([await storage.get(gone), (await storage.get(retained))?.length]).toEqual([null, 3]);
    });

    it("put of the same key again replaces", async () => {
      const key = randomUUID();
      await storage.put(key, bytesOf(100));
      await storage.put(key, bytesOf(7));
      expect((await storage.get(key))?.length).toBe(7);
    });

    it("keeps many that come at once apart", async () => {
      const keys = Array.from({ length: 24 }, () => randomUUID());
      await Promise.all(keys.map((key, n) => storage.put(key, bytesOf(n))));
      const sizes = await Promise.all(keys.map(async (key) => (await storage.get(key))?.length));
      expect(sizes).toEqual(keys.map((_, n) => n));
    });

    it.each(["", "..", "../../etc/passwd", "a/b", "A".repeat(36), `${randomUUID()}/..`])(
      "takes no key that is no UUID: %j",
      async (key) => {
        await expect(storage.put(key, bytesOf(1))).rejects.toThrow("must be a UUID");
        await expect(storage.get(key)).rejects.toThrow("must be a UUID");
        await expect(storage.delete(key)).rejects.toThrow("must be a UUID");
      },
    );
  });
}
