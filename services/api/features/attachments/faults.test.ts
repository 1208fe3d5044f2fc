import { afterEach, describe, expect, it } from "vitest";
import { attachmentsUnderTest } from "#services/api/features/attachments/testing/harness.ts";
import { eventually } from "#test/support/eventually.ts";

// A process that is killed does nothing more: a call that never comes back, and whose caller is abandoned.

const at = attachmentsUnderTest({ "max-file-size": 20 });
afterEach(() => at.storage.fix());

const never = () => new Promise<void>(() => {});
const large = "x".repeat(5_000_000);
const week = () => new Date(Date.now() + 7 * 86_400_000);

/** What the database and the storage know: pieces of files, others, and objects. */
async function remains() {
  return { ...await at.pieces(), objects: at.storage.objects.size };
}

/** Sends a chunk that is never answered, since the process ends at the n-th call of this kind. */
async function killedAt(
  when: "before" | "after",
  n: number,
  ref: Awaited<ReturnType<typeof at.begin>>,
  content: string,
) {
  let calls = 0;
  at.storage[when] = (call) => call === "put" && ++calls === n ? never() : Promise.resolve();
  void at.send(ref, 0, content);
  await eventually(() => expect(calls).toBe(n));
  at.storage.fix();
}

describe("a process that ends within a chunk", () => {
  it.each(
    [
      ["before", 1],
      ["after", 1],
      ["before", 2],
      ["after", 3],
    ] as const,
  )("%s write %i leaves nothing that is seen, and its objects are swept", async (when, n) => {
    const before = await remains();
    const id = await at.entity();
    const ref = await at.begin(id, "half");
    await killedAt(when, n, ref, large);
    expect((await at.complete(ref)).status).toBe(400);
    expect((await at.list(id)).files).toEqual([]);
    expect((await remains()).objects).toBe(before.objects + (when === "after" ? n : n - 1));
    expect(await at.sweep(new Date())).toBe(0);
    expect(await at.sweep(week())).toBe(n);
    expect(await remains()).toEqual(before);
  });

  it("has the chunk that was there before, until the new one is whole", async () => {
    const id = await at.entity();
    const ref = await at.begin(id, "again");
    await at.send(ref, 0, "old");
    await killedAt("after", 2, ref, large);
    const file = (await at.complete(ref)).json;
    expect((await at.download(id, file.id)).text).toBe("old");
    await at.sweep(week());
    expect((await at.download(id, file.id)).text).toBe("old");
  });

  it("is sent once more and is whole then; pieces that were swept meanwhile are never taken", async () => {
    const id = await at.entity();
    const ref = await at.begin(id, "late");
    const blocked = Promise.withResolvers<void>();
    at.storage.after = () => blocked.promise;
    const late = at.send(ref, 0, "late");
    await eventually(async () => expect((await at.pieces()).spare).toBeGreaterThan(0));
    at.storage.fix();
    await at.sweep(week());
    blocked.resolve();
    expect((await late).status).toBe(503);
    expect((await at.complete(ref)).status).toBe(400);
    expect((await at.send(ref, 0, "good")).status).toBe(200);
    const file = (await at.complete(ref)).json;
    expect((await at.download(id, file.id)).text).toBe("good");
  });
});

describe("the storage is away", () => {
  it("503 for a chunk, which changes nothing; afterwards it is taken", async () => {
    const id = await at.entity();
    const ref = await at.begin(id, "away");
    await at.send(ref, 0, "first");
    const before = (await remains()).stored;
    at.storage.goDown();
    const refused = await at.send(ref, 0, "second");
    expect([refused.status, refused.headers.get("retry-after"), refused.json.retryable])
      .toEqual([503, "5", true]);
    at.storage.before = (call) =>
      call === "put" ? Promise.resolve() : Promise.reject(new Error("x"));
    // The old chunk cannot be removed now, which is housekeeping's.
    expect((await at.send(ref, 0, "third")).status).toBe(200);
    at.storage.fix();
    expect((await remains()).stored).toBe(before);
    const file = (await at.complete(ref)).json;
    expect((await at.download(id, file.id)).text).toBe("third");
    await at.sweep(week());
    expect(await remains()).toMatchObject({ stored: before, spare: 0, objects: before });
  });

  it("complete, list, delete and links need it not", async () => {
    const id = await at.entity();
    const ref = await at.begin(id, "x");
    await at.send(ref, 0, "x");
    at.storage.goDown();
    const file = (await at.complete(ref)).json;
    expect((await at.list(id)).files).toHaveLength(1);
    expect((await at.api.delete(at.pathOf(id, `/files/${file.id}`))).status).toBe(204);
    expect((await at.list(id)).files).toEqual([]);
  });
});
