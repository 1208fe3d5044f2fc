import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FilesSettings } from "#contract/connections/files.ts";
import { connectorConformance } from "#test/conformance/connector.ts";
import { type S3SourceServer, startS3Source } from "#test/support/sources/s3.ts";
import type { Connector, Item, Session } from "../../connector.ts";
import { refusedHosts } from "../../testing/hosts.ts";
import { allOf, itemsOf } from "../../testing/source.ts";
import { connectors } from "../all.ts";
import { readFiles } from "./read.ts";
import { filesSession, lakeFiles, parquet } from "./testing/bucket.ts";

// The connector against a server of S3 that checks what it is sent.

type More = NonNullable<Parameters<typeof filesSession>[1]>;

let server: S3SourceServer;
let silent: Server;
beforeAll(async () => {
  server = await startS3Source("lake");
  for (const [key, bytes] of lakeFiles()) await server.put("lake", key, bytes);
  silent = createServer(() => {});
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
});
afterAll(async () => {
  silent?.close();
  await server?.stop();
});

const session = (settings: Partial<FilesSettings> = {}, more: More = {}) => {
  const { accessKey, secretKey } = server.account;
  return filesSession(
    { bucket: "lake", endpoint: server.url, access_key: accessKey, ...settings },
    { secrets: new Map([["secret_key", secretKey]]), ...more },
  );
};
const over = (settings: Partial<FilesSettings> = {}, more: Partial<Session> = {}) =>
  session(settings, more as More) as Session;
const silentUrl = () => `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;

connectorConformance("Files in VersityGW", () => ({
  connector: connectors.files as Connector,
  session: (more = {}) => over({}, more),
  failing: {
    "wrong key": () => over({ access_key: "other" }),
    "wrong secret": () => over({}, { secrets: new Map([["secret_key", "not-the-s3cret"]]) }),
    "no credentials": () => over({ access_key: undefined }),
    "wrong region": () => over({ region: "eu-central-1" }),
    "no such bucket": () => over({ bucket: "other" }),
    "unreachable": () => over({ endpoint: "http://127.0.0.1:1" }),
    ...refusedHosts((endpoint, address) => over({ endpoint }, { address })),
  },
  excluded: () => over({ exclude: ["*"] }),
  slow: () => over({ endpoint: silentUrl() }, { statementTimeoutMs: 200 }),
}));

describe("a read of VersityGW", () => {
  const read = async (settings: Partial<FilesSettings> = {}) =>
    await allOf(readFiles(session(settings)));
  const byName = async (settings: Partial<FilesSettings> = {}) =>
    new Map(itemsOf(await read(settings)).map((item): [string, Item] => [item.name, item]));

  it("gives partitioned tables, pieces and keys in every script", async () => {
    const items = await byName({ paths: ["raw/", "other/"] });
    expect([...items.keys()].sort()).toEqual([
      "a.csv",
      "list of ü & <x>.jsonl",
      "orders",
      "visits",
    ]);
    expect(items.get("orders")!.metadata![0]!.metadata).toMatchObject({
      partitioned_by: ["dt"],
      files: 2,
      size_bytes: 2 * parquet.length,
    });
    expect(items.get("orders")!.dataset!.field_list.length).toBeGreaterThan(15);
    expect(items.get("list of ü & <x>.jsonl")!.dataset!.field_list.map(({ name }) => name))
      .toEqual(["id", "to", "city"]);
  });

  it.each([
    ["a wrong secret", {}, { secrets: new Map([["secret_key", "not-the-s3cret"]]) }, /\(403\)$/],
    ["a wrong region", { region: "eu-central-1" }, {}, /region/],
    ["no such bucket", { bucket: "other" }, {}, /\(404\)$/],
  ])("says what is wrong with %s", async (_, settings, more, reason) => {
    await expect(allOf(readFiles(session(settings, more)))).rejects.toMatchObject({
      reason: expect.stringMatching(reason),
    });
  });

  it("lists more objects than a page holds", async () => {
    const folder = join(server.folderOf("lake"), "many", "visits");
    mkdirSync(folder, { recursive: true });
    const count = 2_100;
    for (let at = 0; at < count; at++) {
      writeFileSync(join(folder, `part-${String(at).padStart(5, "0")}.csv`), "id,page\n1,/a\n");
    }
    const items = await byName({ paths: ["many/"] });
    expect([...items.keys()]).toEqual(["visits"]);
    expect(items.get("visits")!.metadata![0]!.metadata).toMatchObject({ files: count });
  });

  it("names a file that is deleted during the read, and goes on", async () => {
    for (const name of ["a", "b", "c"]) {
      await server.put("lake", `short/${name}.csv`, new TextEncoder().encode("x\n1\n"));
    }
    const reading = readFiles(session({ paths: ["short/"] }));
    const found = [(await reading.next()).value];
    rmSync(join(server.folderOf("lake"), "short", "b.csv"));
    for await (const finding of reading) found.push(finding);
    expect(found).toMatchObject([
      { item: { name: "a.csv" } },
      { problem: { object: "short/b.csv", reason: "there is no such resource (404)" } },
      { item: { name: "c.csv" } },
    ]);
  });
});
