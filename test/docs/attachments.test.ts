import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { examplesOf, outputOf } from "#test/support/documents.ts";
import { removed } from "#test/support/engines/directory.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { type S3Server, startS3 } from "#test/support/engines/s3.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const examples = examplesOf(readFileSync("docs/use/attachments.md", "utf8"));

/** `attachment.remote` for a server of tests. */
function remoteOf({ options }: S3Server) {
  const { url, bucket, accessKey, secretKey } = options;
  return { url, bucket, "access-key": accessKey, "secret-key": secretKey };
}

describe.each(["LOCAL", "REMOTE"])("docs/use/attachments.md, storage %s", (storage) => {
  const directory = mkdtempSync(join(tmpdir(), "tributary-attachments-"));
  let server: S3Server | undefined;
  let instance: Instance;
  let entity: number;
  beforeAll(async () => {
    if (storage === "REMOTE") server = await startS3();
    const attachment = server
      ? { storage, remote: remoteOf(server) }
      : { storage, local: { path: join(directory, "files") } };
    instance = await startInstance("embedded", { services: [apiService], config: { attachment } });
    entity = await seedEntity(instance.test.db);
  });
  afterAll(async () => {
    await instance?.stop();
    await server?.stop();
    await removed(directory);
  });

  it("marks its commands for this test", () => expect(examples).toHaveLength(3));

  it.each(examples.map((e) => [e.title, e] as const))(
    "shows what really comes: %s",
    async (_, { command, output }) => {
      const script = command.replaceAll("http://127.0.0.1:8080", instance.url);
      expect(await outputOf(script, { ENTITY: String(entity) })).toBe(output);
    },
  );

  it("sends a file of many pieces whole, over a real connection", async () => {
    const files = `/api/dataentities/${entity}/files`;
    const begun = await instance.send("POST", `${files}/uploads`, { fileName: "large" });
    const { id } = await begun.json();
    const bytes = new Uint8Array(15_000_000).map((_, at) => at * 7);
    for (const [index, from] of [[1, 9_000_000], [0, 0]] as const) {
      const form = new FormData();
      form.append("file", new Blob([bytes.subarray(from, index === 1 ? undefined : 9_000_000)]));
      form.append("index", String(index));
      const url = `${instance.url}${files}/uploads/${id}/chunks`;
      const sent = await fetch(url, { method: "POST", body: form });
      expect([sent.status, await sent.text()]).toEqual([200, ""]);
    }
    const file = await (await instance.send("PUT", `${files}/uploads/${id}`)).json();
    const read = await instance.send("GET", `${files}/${file.id}`);
    expect(read.headers.get("content-length")).toBe("15000000");
    const got = new Uint8Array(await read.arrayBuffer());
    expect(got.length === bytes.length && got.every((byte, at) => byte === bytes[at])).toBe(true);
  });
});
