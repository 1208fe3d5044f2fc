import { describe, expect, it } from "vitest";
import { Config } from "#platform/config/schema.ts";
import { maxOpenOfCaller } from "#services/api/features/attachments/limits.ts";
import { attachmentRoutes } from "#services/api/features/attachments/routes.ts";
import { attachmentsUnderTest } from "#services/api/features/attachments/testing/harness.ts";
import { testApi } from "#test/support/http/api.ts";
import { calledBy } from "#test/support/http/caller.ts";

const at = attachmentsUnderTest({ "max-file-size": 2, "max-files": 100 });

/** Operations called by somebody, under these limits. */
function as(who: string, limits: object = {}) {
  const config = Config.parse({ attachment: { "max-files": 100, ...limits } });
  const context = { ...at.context, storage: at.storage, config };
  return testApi(calledBy(who, attachmentRoutes(context)));
}

const begin = async (who: string, limits: object = {}) => {
  const path = at.pathOf(await at.entity(), "/files/uploads");
  const answer = await as(who, limits).post(path, { fileName: "x" });
  return { path: `${path}/${answer.json?.id}`, ...answer };
};

describe("of uploads that are not complete", () => {
  it("a caller has a share: 429 beyond it, while others begin theirs", async () => {
    for (let n = 0; n < maxOpenOfCaller; n++) expect((await begin("mallory")).status).toBe(200);
    const refused = await begin("mallory");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(refused.json.message).toContain("cancel");
    expect((await begin("ada")).status).toBe(200);
  });

  it("any may be cancelled, which makes room and removes its bytes", async () => {
    const ref = await at.begin(await at.entity());
    expect((await at.send(ref, 0, "content")).status).toBe(200);
    const before = at.storage.objects.size;
    const path = at.pathOf(ref.entity, `/files/uploads/${ref.upload}`);
    expect((await at.api.delete(path)).status).toBe(204);
    expect(at.storage.objects.size).toBe(before - 1);
    expect((await at.api.delete(path)).status).toBe(404);
    expect((await at.send(ref, 0, "content")).status).toBe(404);
    expect((await at.complete(ref)).status).toBe(404);
  });

  it("a complete one is not cancelled: 400, and its file stays", async () => {
    const ref = await at.begin(await at.entity());
    await at.send(ref, 0, "content");
    const { id } = (await at.complete(ref)).json;
    const refused = await at.api.delete(at.pathOf(ref.entity, `/files/uploads/${ref.upload}`));
    expect([refused.status, refused.json.message]).toEqual([
      400,
      `Upload ${ref.upload} is complete: it is a file`,
    ]);
    expect((await at.download(ref.entity, id)).text).toBe("content");
  });

  it("one of another entity is not cancelled", async () => {
    const ref = await at.begin(await at.entity());
    const other = at.pathOf(await at.entity(), `/files/uploads/${ref.upload}`);
    expect((await at.api.delete(other)).status).toBe(404);
    expect((await at.send(ref, 0, "x")).status).toBe(200);
  });
});

describe("bytes that a caller has uploaded", () => {
  it("are bounded: 400 that names the key, until a file is deleted; others upload", async () => {
    const limits = { "max-total-size-per-caller": 1 };
    const id = await at.entity();
    const path = at.pathOf(id, "/files/uploads");
    const file = await at.attach(id, "x".repeat(1_000_000));
    await at.database.db.query(
      "UPDATE attachment_file SET share = (SELECT share FROM attachment_file WHERE upload_id = $2) WHERE id = $1",
      [file.id, (await begin("eve", limits)).json.id],
    );
    const refused = await as("eve", limits).post(path, { fileName: "x" });
    expect([refused.status, refused.json.message]).toEqual([
      400,
      "You have uploaded 1 MB already (attachment.max-total-size-per-caller)",
    ]);
    expect((await begin("ada", limits)).status).toBe(200);
    expect((await at.api.delete(at.pathOf(id, `/files/${file.id}`))).status).toBe(204);
    expect((await begin("eve", limits)).status).toBe(200);
  });
});
