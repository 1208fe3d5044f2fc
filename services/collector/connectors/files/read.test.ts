import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { catrnsOf } from "#platform/naming/openlineage/names.ts";
import type { Finding, Item } from "../../connector.ts";
import { allOf, itemsOf, plainSession } from "../../testing/source.ts";
import { readFiles } from "./read.ts";
import { bucketServer, filesSession, parquet } from "./testing/bucket.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "tributary-files-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string | Uint8Array, ageS = 0): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  utimesSync(path, 1_893_456_000 - ageS, 1_893_456_000 - ageS);
}

const read = (): Promise<Finding[]> =>
  allOf(readFiles(filesSession({ paths: [folder] }, { folders: [folder] })));

const byName = async () =>
  new Map(itemsOf(await read()).map((item): [string, Item] => [item.name, item]));

const fieldsOf = ({ dataset }: Item) =>
  dataset!.field_list.map(({ catrn, type }) => [
    catrn.slice(catrn.indexOf("/columns/") + 9),
    type.type.slice(5),
  ]);

describe("files in folders", () => {
  it("gives fields of a file of Parquet with nested ones, by its footer", async () => {
    write("orders.parquet", parquet);
    const orders = (await byName()).get("orders.parquet")!;
    expect(orders).toMatchObject({
      type: "FILE",
      updated_at: "2030-01-01T00:00:00.000Z",
      metadata: [{ metadata: { format: "parquet", files: 1, size_bytes: parquet.length } }],
      dataset: { rows_number: 3 },
    });
    expect(fieldsOf(orders)).toEqual([
      ["id", "INTEGER"],
      ["name", "STRING"],
      ["price", "NUMBER"],
      ["paid", "BOOLEAN"],
      ["placed", "DATETIME"],
      ["day", "DATETIME"],
      ["address", "STRUCT"],
      ["address.city", "STRING"],
      ["address.zip", "INTEGER"],
      ["lines", "LIST"],
      ["lines.sku", "STRING"],
      ["lines.n", "INTEGER"],
      ["marks", "MAP"],
      ["tags", "LIST"],
      ["u", "STRING"],
      ["raw", "BINARY"],
      ["at", "TIME"],
    ]);
  });

  it("gives a partitioned table, and one of pieces, as one dataset with the name of its folder", async () => {
    write("orders/dt=2030-01-01/part-0.parquet", parquet, 60);
    write("orders/dt=2030-01-02/hour=1/part-0.parquet", parquet);
    write("visits/part-00000.csv", "id,page\n1,/a\n", 60);
    write("visits/part-00001.csv", "id,page,more\n2,/b,x\n");
    write("reports/a.csv", "x\n1\n");
    write("reports/b.csv", "y\n1\n");
    const items = await byName();
    expect([...items.keys()].sort()).toEqual(["a.csv", "b.csv", "orders", "visits"]);
    expect(items.get("orders")!.metadata![0]!.metadata).toMatchObject({
      partitioned_by: ["dt", "hour"],
      files: 2,
    });
    expect(fieldsOf(items.get("orders")!).slice(-2)).toEqual([["dt", "STRING"], [
      "hour",
      "STRING",
    ]]);
    expect(items.get("orders")!.dataset!.rows_number).toBeUndefined();
    // The newest file counts.
    expect(fieldsOf(items.get("visits")!)).toEqual([
      ["id", "INTEGER"],
      ["page", "STRING"],
      ["more", "STRING"],
    ]);
  });

  it("infers the types of delimited text", async () => {
    write(
      "a.csv",
      "﻿id;price;paid;at;zip;note\n1;1.5;true;2030-01-01;08001;\n2;3;false;2030-01-02T10:00:00Z;1;x\n",
    );
    write("b.tsv", "1\ta\n2\tb\n");
    const items = await byName();
    expect(fieldsOf(items.get("a.csv")!)).toEqual([
      ["id", "INTEGER"],
      ["price", "NUMBER"],
      ["paid", "BOOLEAN"],
      ["at", "DATETIME"],
      ["zip", "STRING"],
      ["note", "STRING"],
    ]);
    expect(fieldsOf(items.get("b.tsv")!)).toEqual([["_c0", "INTEGER"], ["_c1", "STRING"]]);
  });

  it("infers nested fields of JSON lines, also compressed, and of a list of objects", async () => {
    const lines =
      '{"id":1,"to":{"city":"Bern"},"of":[{"n":1}]}\n{"id":2.5,"to":null,"at":"2030-01-01"}\n';
    write("a.jsonl", lines);
    write("b.json.gz", gzipSync(lines));
    write("c.json", '[\n {"x": true},\n {"x": false}\n]');
    write("d.json", '{\n "x": 1\n}');
    const items = await byName();
    const expected = [
      ["id", "NUMBER"],
      ["to", "STRUCT"],
      ["to.city", "STRING"],
      ["of", "LIST"],
      ["of.n", "INTEGER"],
      ["at", "DATETIME"],
    ];
    expect(fieldsOf(items.get("a.jsonl")!)).toEqual(expected);
    expect(fieldsOf(items.get("b.json.gz")!)).toEqual(expected);
    expect(fieldsOf(items.get("c.json")!)).toEqual([["x", "BOOLEAN"]]);
    expect(fieldsOf(items.get("d.json")!)).toEqual([["x", "INTEGER"]]);
  });

  it("reads only the beginning of a large file, and unpacks no more than it needs", async () => {
    write("large.csv", "id,text\n" + `1,${"x".repeat(1_000)}\n`.repeat(2_000));
    write("bomb.csv.gz", gzipSync("a,b\n" + "1,2\n".repeat(5_000_000)));
    const items = await byName();
    expect(fieldsOf(items.get("large.csv")!)).toEqual([["id", "INTEGER"], ["text", "STRING"]]);
    expect(fieldsOf(items.get("bomb.csv.gz")!)).toEqual([["a", "INTEGER"], ["b", "INTEGER"]]);
  });

  it("names a file that cannot be read, and goes on", async () => {
    write("bad.parquet", "no parquet at all");
    write("bad.csv.gz", "no gzip");
    write("bad.jsonl", "{}\nnot json\n");
    write("good.csv", "a\n1\n");
    const findings = await read();
    const problems = findings.flatMap((one) => one.kind === "problem" ? [one] : []);
    expect(problems.map(({ problem }) => problem.reason)).toEqual([
      "it is not compressed by gzip",
      "its beginning is not json",
      "it is not a readable file of Parquet",
    ]);
    expect(problems.every(({ catrn }) => catrn?.includes("bad"))).toBe(true);
    expect(itemsOf(findings).map(({ name }) => name)).toEqual(["good.csv"]);
  });

  it("follows no link out of the folders that are allowed, and leaves hidden files out", async () => {
    const outside = mkdtempSync(join(tmpdir(), "tributary-outside-"));
    writeFileSync(join(outside, "secret.csv"), "a\n1\n");
    symlinkSync(outside, join(folder, "link"));
    symlinkSync(join(outside, "secret.csv"), join(folder, "link.csv"));
    write(".hidden.csv", "a\n1\n");
    write("_delta_log/1.json", "{}");
    expect(await read()).toEqual([]);
    const session = filesSession({ paths: [join(folder, "link")] }, { folders: [folder] });
    await expect(allOf(readFiles(session))).rejects.toThrow("not one that connections may read");
    rmSync(outside, { recursive: true });
  });

  it("gives a file once that two paths lead to", async () => {
    write("a/b.csv", "x\n1\n");
    const session = filesSession({ paths: [join(folder, "a"), folder] }, { folders: [folder] });
    expect(await allOf(readFiles(session))).toHaveLength(1);
  });

  it("gives the names of OpenLineage", async () => {
    write("orders/dt=2030-01-01/part-0.csv", "x\n1\n");
    const [item] = itemsOf(await read());
    const name = join(folder, "orders/dt=2030-01-01");
    expect(item!.catrn).toBe(catrnsOf({ namespace: "file", name }, plainSession().naming).catrn);
  });
});

it("gives files of a bucket the names of OpenLineage, reading footers and beginnings by range", async () => {
  const server = await bucketServer();
  const settings = { bucket: "lake", endpoint: server.url, access_key: "reader" };
  const session = filesSession(settings);
  const { naming } = plainSession();
  const hosts = new Map([["lake", `${new URL(server.url).host}/lake`]]);
  const named = (name: string) =>
    catrnsOf({ namespace: "s3://lake", name }, { ...naming, hosts }).catrn;
  const items = itemsOf(await allOf(readFiles(session)));
  expect(items.map(({ catrn }) => catrn)).toEqual([
    named("raw/list of ü & <x>.jsonl"),
    named("raw/orders/dt=2030-01-01"),
    named("raw/visits"),
  ]);
  expect(fieldsOf(items[0]!)).toEqual([["id", "INTEGER"], ["to", "STRUCT"], ["to.city", "STRING"]]);
  expect(items[1]!.metadata![0]!.metadata).toMatchObject({ partitioned_by: ["dt"], files: 2 });
  const read = server.requests.filter((one) => one.includes("bytes="));
  expect(read).toHaveLength(3);
  await server.close();
  const amazon = filesSession({ bucket: "lake" });
  expect(`${amazon.source}/keys/raw`).toBe(
    catrnsOf({ namespace: "s3://lake", name: "raw" }, naming).catrn,
  );
});
