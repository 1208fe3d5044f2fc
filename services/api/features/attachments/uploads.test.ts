import { describe, expect, it } from "vitest";
import { uuidv7 } from "#kit/ids.ts";
import { maxOpenOfEntity, pieceBytes } from "#services/api/features/attachments/limits.ts";
import { attachmentsUnderTest } from "#services/api/features/attachments/testing/harness.ts";

const at = attachmentsUnderTest();
const large = attachmentsUnderTest({ "max-file-size": 20, "max-files": 100 });

const namesOf = async (id: number) =>
  (await at.list(id)).files.map(({ name }: { name: string }) => name);
const refusal = ({ status, json }: Awaited<ReturnType<typeof at.send>>) => [
  status,
  json.details[0].field,
  json.details[0].message,
];

describe("an upload", () => {
  it("is made a file of chunks that come in any order, the last of an index counts", async () => {
    const id = await at.entity();
    const ref = await at.begin(id, "C:\\data\\sales.csv");
    for (const [index, content] of [[2, "c"], [0, "x"], [1, "b"], [0, "a"]] as const) {
      expect((await at.send(ref, index, content)).status).toBe(200);
    }
    expect(await namesOf(id)).toEqual([]);
    const file = (await at.complete(ref)).json;
    expect(file).toMatchObject({
      name: "sales.csv",
      size: 3,
      media_type: "application/octet-stream",
    });
    expect(await at.list(id)).toEqual({ files: [file], links: [] });
    expect((await at.download(id, file.id)).text).toBe("abc");
    expect(at.storage.objects.size).toBe((await at.pieces()).stored);
  });

  it("may have the index before the file, and no bytes at all", async () => {
    const id = await at.entity();
    const ref = await at.begin(id, "empty.csv");
    const sent = await at.sendChunks(ref, [["index", "0"], ["file", ""]]);
    expect([sent.status, sent.text]).toEqual([200, ""]);
    const file = (await at.complete(ref)).json;
    const download = await at.download(id, file.id);
    expect([file.size, download.text, download.headers.get("content-length")]).toEqual([
      0,
      "",
      "0",
    ]);
  });

  it("may be completed again, also by several at once: one file", async () => {
    const id = await at.entity();
    const ref = await at.begin(id, "once");
    await at.send(ref, 0, "x");
    const answers = await Promise.all([1, 2, 3, 4].map(() => at.complete(ref)));
    answers.push(await at.complete(ref));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await namesOf(id)).toEqual(["once"]);
  });

  it("takes no chunk once it is complete; 404 once its file is deleted", async () => {
    const id = await at.entity();
    const ref = await at.begin(id);
    await at.send(ref, 0, "x");
    const { id: file } = (await at.complete(ref)).json;
    expect((await at.send(ref, 1, "y")).status).toBe(400);
    expect((await at.download(id, file)).text).toBe("x");
    expect((await at.api.delete(at.pathOf(id, `/files/${file}`))).status).toBe(204);
    expect((await at.complete(ref)).status).toBe(404);
    expect((await at.send(ref, 0, "x")).status).toBe(404);
  });

  it("holds one piece in memory, however large the chunk", async () => {
    const id = await large.entity();
    const size = 2 * pieceBytes + 5;
    const content = "0123456789".repeat(Math.ceil(size / 10)).slice(0, size);
    const file = await large.attach(id, content, "large");
    expect([file.size, large.storage.largest, large.storage.objects.size])
      .toEqual([size, pieceBytes, 3]);
    expect((await large.download(id, file.id)).text === content).toBe(true);
  });
});

describe("an upload is refused", () => {
  it("404: of another entity, unknown, of a hollow or unknown entity", async () => {
    const [id, other] = [await at.entity(), await at.entity()];
    const ref = await at.begin(id);
    await at.send(ref, 0, "x");
    const upload = uuidv7();
    for (
      const wrong of [{ ...ref, entity: other }, { ...ref, entity: 999_999 }, { ...ref, upload }]
    ) {
      expect((await at.send(wrong, 0, "y")).status).toBe(404);
      expect((await at.complete(wrong)).status).toBe(404);
    }
    expect((await at.complete({ ...ref, upload: "no-uuid" })).status).toBe(400);
    for (const entity of [999_999, await at.entity({ hollow: true })]) {
      const path = at.pathOf(entity, "/files/uploads");
      expect((await at.api.get(path)).status).toBe(404);
      expect((await at.api.post(path, { fileName: "a" })).status).toBe(404);
    }
  });

  it.each([
    ["no name", {}, "is required"],
    ["an empty one", { fileName: " " }, "must not be empty"],
    ["a folder", { fileName: "../.." }, "must name a file"],
    ["a long one", { fileName: "x".repeat(1_001) }, "must be at most 1000 long"],
    ["NUL", { fileName: "a\0b" }, "must not hold the character NUL"],
    ["half a character", { fileName: "a\udc00" }, "must not hold half a surrogate pair"],
  ])("400: a file of %s", async (_, form, message) => {
    const answer = await at.api.post(at.pathOf(await at.entity(), "/files/uploads"), form);
    expect(refusal(answer)).toEqual([400, "fileName", message]);
  });

  it.each([
    ["no index", [["file", "x"]], "index", "is required"],
    ["no file", [["index", "0"]], "file", "is required"],
    ["no number", [["file", "x"], ["index", "one"]], "index", "must be an integer from 0 to 999"],
    [
      "a negative one",
      [["file", "x"], ["index", "-1"]],
      "index",
      "must be an integer from 0 to 999",
    ],
    ["a fraction", [["file", "x"], ["index", "1.5"]], "index", "must be an integer from 0 to 999"],
    [
      "too large a one",
      [["file", "x"], ["index", "1000"]],
      "index",
      "must be an integer from 0 to 999",
    ],
    [
      "another part",
      [["file", "x"], ["index", "0"], ["name", "y"]],
      "name",
      "is no part of this form",
    ],
    [
      "an index twice",
      [["file", "x"], ["index", "0"], ["index", "1"]],
      "index",
      "must be given once",
    ],
  ] as [string, [string, string][], string, string][])(
    "400: a chunk with %s, and nothing of it stays",
    async (_, parts, field, message) => {
      const ref = await at.begin(await at.entity());
      expect(refusal(await at.sendChunks(ref, parts))).toEqual([400, field, message]);
      expect((await at.complete(ref)).status).toBe(400);
      await at.sweep();
      expect(at.storage.objects.size).toBe((await at.pieces()).stored);
    },
  );

  it("415: a body of another type; 400: of no body", async () => {
    const { entity, upload } = await at.begin(await at.entity());
    const path = at.pathOf(entity, `/files/uploads/${upload}/chunks`);
    expect((await at.api.post(path, { file: "x", index: "0" })).status).toBe(415);
    expect((await at.api.post(path)).status).toBe(400);
  });

  it("400: chunks are missing, each is named", async () => {
    const ref = await at.begin(await at.entity());
    expect(refusal(await at.complete(ref))).toEqual([400, "index", "no chunk has come"]);
    for (const index of [1, 4]) await at.send(ref, index, "x");
    expect(refusal(await at.complete(ref))).toEqual([400, "index", "missing: 0, 2, 3"]);
  });

  it("413: one chunk, or all together, are larger than a file may be", async () => {
    const ref = await at.begin(await at.entity());
    expect(refusal(await at.send(ref, 0, "x".repeat(1_000_001))))
      .toEqual([413, "file", "must be at most 1000000 bytes"]);
    expect((await at.send(ref, 0, "x".repeat(600_000))).status).toBe(200);
    expect((await at.send(ref, 1, "y".repeat(400_001))).status).toBe(413);
    expect((await at.send(ref, 0, "z".repeat(1_000_000))).status).toBe(200);
    expect((await at.complete(ref)).json.size).toBe(1_000_000);
    const options = await at.api.get(at.pathOf(ref.entity, "/files/uploads"));
    expect(options.json).toEqual({ maxSize: 1_000_000 });
  });

  it("413: of chunks that come at once no more than fit are taken", async () => {
    const ref = await at.begin(await at.entity());
    const answers = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((index) => at.send(ref, index, "x".repeat(300_000))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 413, 413, 413]);
  });

  it("400: as many files as an entity may have, also when they come at once", async () => {
    const id = await at.entity();
    await at.attach(id, "1", "first");
    const path = at.pathOf(id, "/files/uploads");
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => at.api.post(path, { fileName: "x" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 400, 400]);
    const refused = answers.find(({ status }) => status === 400)!;
    expect(refused.json.message).toMatch(/5 files already \(attachment\.max-files\)/);
  });

  it("429: too many uploads of one entity, or in all, are not complete", async () => {
    const id = await large.entity();
    for (let n = 0; n < maxOpenOfEntity; n++) await large.begin(id);
    const path = large.pathOf(id, "/files/uploads");
    const refused = await large.api.post(path, { fileName: "x" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    await large.database.db.query(
      `INSERT INTO attachment_file (entity_id, upload_id, name)
       SELECT $1, gen_random_uuid(), 'x' FROM generate_series(1, 1000)`,
      [id],
    );
    const other = large.pathOf(await large.entity(), "/files/uploads");
    expect((await large.api.post(other, { fileName: "x" })).status).toBe(429);
    await large.database.db.query("DELETE FROM attachment_file WHERE completed_at IS NULL");
  });
});
