import { afterEach, describe, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Downloads } from "#services/api/features/attachments/transfers.ts";
import { attachmentsUnderTest } from "#services/api/features/attachments/testing/harness.ts";
import { TestStorage } from "#test/support/engines/storage.ts";
import { eventually } from "#test/support/eventually.ts";

const at = attachmentsUnderTest();
afterEach(() => at.storage.fix());

describe("downloadFile", () => {
  it("200: for a browser to save, never to show, under a name that needs no trust", async () => {
    const id = await at.entity();
    const name = 'bilan "été";\r\n\u202e ☃.html';
    const file = await at.attach(id, "<script>alert(1)</script>", name);
    const { status, headers } = await at.download(id, file.id);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition":
        `attachment; filename="bilan _?t?_; ?.html"; filename*=UTF-8''bilan%20_%C3%A9t%C3%A9_%3B%20%E2%98%83.html`,
      "content-length": "25",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "cache-control": "private, no-cache",
    });
  });

  it("200: of the type that the first bytes of chunk 0 show, whenever that came", async () => {
    const id = await at.entity();
    const ref = await at.begin(id, "page.html");
    await at.send(ref, 1, "<html>");
    await at.send(ref, 0, "%PDF-1.7 ");
    const file = (await at.complete(ref)).json;
    expect(file.media_type).toBe("application/pdf");
    const { headers } = await at.download(id, file.id);
    expect(headers.get("content-type")).toBe("application/pdf");
    expect(headers.get("content-disposition")).toBe("attachment; filename=page.html");
  });

  it("404: unknown, of another entity, not complete, deleted, of a hollow entity", async () => {
    const [id, other] = [await at.entity(), await at.entity()];
    const file = await at.attach(id, "x");
    const [{ open }] = await at.database.db.query<{ open: number }>(
      `INSERT INTO attachment_file (entity_id, upload_id, name)
       VALUES ($1, gen_random_uuid(), 'x') RETURNING id AS open`,
      [id],
    ) as [{ open: number }];
    for (const [of, which] of [[id, 999_999], [other, file.id], [999_999, file.id], [id, open]]) {
      expect((await at.download(of!, which!)).status).toBe(404);
      expect((await at.api.delete(at.pathOf(of!, `/files/${which}`))).status).toBe(404);
    }
    expect((await at.api.delete(at.pathOf(id, `/files/${file.id}`))).status).toBe(204);
    expect((await at.download(id, file.id)).status).toBe(404);
    const stored = await at.attach(id, "x");
    await at.database.db.query("UPDATE data_entity SET hollow = true WHERE id = $1", [id]);
    expect((await at.download(id, stored.id)).status).toBe(404);
  });

  it("503 while the storage is away, 500 for bytes that it lost", async () => {
    const id = await at.entity();
    const file = await at.attach(id, "content");
    at.storage.goDown();
    const away = await at.download(id, file.id);
    expect([away.status, away.headers.get("retry-after")]).toEqual([503, "5"]);
    at.storage.fix();
    expect((await at.download(id, file.id)).text).toBe("content");
    for (const key of at.storage.objects.keys()) at.storage.objects.set(key, new Uint8Array(3));
    expect((await at.download(id, file.id)).status).toBe(500);
    at.storage.objects.clear();
    expect((await at.download(id, file.id)).status).toBe(500);
  });
});

describe("Downloads", () => {
  const given = { log: silentLogger, metrics: noMetrics };
  const queue = {
    concurrency: 2,
    concurrencyPerKey: 2,
    maxWaiting: 0,
    maxWaitingPerKey: 0,
    waitMs: 1,
  };
  const fileOf = async (storage: TestStorage, ...pieces: string[]) => {
    const keys = pieces.map(() => crypto.randomUUID());
    const bytes = pieces.map((piece) => new TextEncoder().encode(piece));
    for (const [n, key] of keys.entries()) await storage.put(key, bytes[n]!);
    const sizes = bytes.map(({ length }) => length);
    return { name: "x", media_type: "x", size: 0, keys, sizes };
  };
  const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream as BodyInit).text();

  it("sends pieces in their order, empty ones too, and reads none before it is wanted", async () => {
    const storage = new TestStorage();
    const downloads = new Downloads({ storage, ...given });
    const read: string[] = [];
    storage.before = (call, key) => Promise.resolve(void (call === "get" && read.push(key)));
    const file = await fileOf(storage, "", "ab", "", "cd", "e");
    const stream = await downloads.open(file);
    expect(read).toEqual([file.keys[1]]);
    expect(await textOf(stream)).toBe("abcde");
    expect(await textOf(await downloads.open(await fileOf(storage, "", "")))).toBe("");
  });

  it("refuses more than it may send at once, until one has ended, however it ends", async () => {
    const storage = new TestStorage();
    const downloads = new Downloads({ storage, ...given }, queue, 50);
    const file = await fileOf(storage, "ab", "cd");
    const [read, cancelled] = [await downloads.open(file), await downloads.open(file)];
    await expect(downloads.open(file)).rejects.toMatchObject({ status: 503, retryAfter: 2 });
    expect(await textOf(read)).toBe("abcd");
    await cancelled.cancel();
    const slow = [await downloads.open(file), await downloads.open(file)];
    await eventually(async () => void await (await downloads.open(file)).cancel());
    for (const one of slow) await expect(textOf(one)).rejects.toThrow("does not take it");
  });

  it("breaks off when the rest cannot be read", async () => {
    const storage = new TestStorage();
    const downloads = new Downloads({ storage, ...given }, { ...queue, concurrency: 1 });
    const file = await fileOf(storage, "ab", "cd");
    const stream = await downloads.open(file);
    storage.goDown();
    await expect(textOf(stream)).rejects.toThrow();
    await expect(downloads.open(file)).rejects.toMatchObject({
      message: "The storage of attachments is not available",
    });
    storage.fix();
    expect(await textOf(await downloads.open(file))).toBe("abcd");
  });

  it("slow ones of one caller leave places to others; that caller gets 429 when too many of its own wait", async () => {
    const storage = new TestStorage();
    const shares = {
      ...queue,
      concurrency: 4,
      concurrencyPerKey: 2,
      maxWaiting: 4,
      maxWaitingPerKey: 1,
    };
    const downloads = new Downloads({ storage, ...given }, { ...shares, waitMs: 60_000 });
    const file = await fileOf(storage, "ab", "cd");
    const slow = [await downloads.open(file, "mallory"), await downloads.open(file, "mallory")];
    const waiting = downloads.open(file, "mallory");
    await expect(downloads.open(file, "mallory")).rejects.toMatchObject({ status: 429 });
    for (const honest of ["ada", "bob"]) {
      expect(await textOf(await downloads.open(file, honest))).toBe("abcd");
    }
    for (const one of slow) await one.cancel();
    expect(await textOf(await waiting)).toBe("abcd");
  });
});
