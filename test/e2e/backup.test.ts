import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Manifest } from "#platform/backup/manifest.ts";
import { emptyDatabase, machines, post, source, table } from "#test/support/backup.ts";
import type { TestDatabase } from "#test/support/engines/database.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";

const folder = mkdtempSync(join(tmpdir(), "tributary-backup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { onDisk, backUp, restore } = machines(folder);

async function idOf(instance: Instance, catrn: string): Promise<number> {
  const query = new URLSearchParams({ catrn, page: "1", size: "1" });
  const found = await instance.json(`/api/dataentities?${query}`) as { items: { id: number }[] };
  return found.items[0]!.id;
}

interface Lineage {
  downstream: { nodes: { id: number; catrn: string }[]; edges: unknown[] };
}

async function lineageOf(instance: Instance, catrn: string, depth: number): Promise<Lineage> {
  const path = `/api/dataentities/${await idOf(instance, catrn)}/lineage/downstream`;
  return await instance.json(`${path}?lineage_depth=${depth}`) as Lineage;
}

const sorted = ({ downstream: { nodes, edges } }: Lineage) => ({
  nodes: nodes.map(({ id, catrn }) => `${id} ${catrn}`).sort(),
  edges: edges.map((edge) => JSON.stringify(edge)).sort(),
});

async function addLookupTable(instance: Instance): Promise<number> {
  const api = "/api/referencedata/table";
  const made = await instance.send("POST", api, { name: "Codes", namespace_name: "reference" });
  const { table_id: id } = await made.json() as { table_id: number };
  const columns = [
    { name: "code", field_type: "VARCHAR", is_nullable: false, is_unique: true },
    { name: "number", field_type: "SERIAL" },
  ];
  expect((await instance.send("POST", `${api}/${id}/columns`, columns)).status).toBe(200);
  await importRows(instance, id, "code\nde\nfr\n");
  return id;
}

async function importRows(instance: Instance, id: number, csv: string) {
  const path = `/api/referencedata/table/${id}/data/import?mode=append`;
  const imported = await instance.send("POST", path, csv, { "content-type": "text/csv" });
  expect([imported.status, await imported.text()]).toEqual([200, expect.any(String)]);
}

const rowsOf = async (instance: Instance, id: number) =>
  await (await instance.send("GET", `/api/referencedata/table/${id}/data?format=csv`)).text();

async function attach(instance: Instance, entity: number, content: string): Promise<number> {
  const api = `/api/dataentities/${entity}/files/uploads`;
  const begun = await instance.send("POST", api, { fileName: "note.txt" });
  const { id } = await begun.json() as { id: string };
  const form = new FormData();
  form.append("file", new Blob([content]));
  form.append("index", "0");
  const chunks = new URL(`${api}/${id}/chunks`, instance.url);
  const sent = await fetch(chunks, { method: "POST", body: form });
  expect([sent.status, await sent.text()]).toEqual([200, expect.any(String)]);
  const done = await instance.send("PUT", `${api}/${id}`);
  return (await done.json() as { id: number }).id;
}

describe.each(engineSets())("a backup and its restore, %s engines", (set) => {
  let first: Instance;
  let second: Instance;
  let empty: TestDatabase;
  let manifest: Manifest;
  let lineage: ReturnType<typeof sorted>;
  let entity: number;
  let file: number;
  let lookup: number;
  let acknowledged = 0;

  beforeAll(async () => {
    first = await startInstance(set, { config: onDisk(`${set}-first`) });
    await first.send("POST", "/ingestion/datasources", { items: [{ catrn: source, name: "S" }] });
    for (const n of [1, 2, 3]) await post(first, n);
    entity = await idOf(first, table(1));
    file = await attach(first, entity, "content of a note");
    lookup = await addLookupTable(first);
    const traffic = { stopped: false, next: 4, failed: undefined as unknown };
    const posting = (async () => {
      while (!traffic.stopped) await post(first, traffic.next++);
    })().catch((error) => traffic.failed = error);
    await eventually(() => expect(traffic.next).toBeGreaterThan(6));
    acknowledged = traffic.next - 2;
    manifest = await backUp(set, first.test, `${set}-first`, `${set}-1`);
    await eventually(() => expect(traffic.next).toBeGreaterThan(acknowledged + 4));
    traffic.stopped = true;
    await posting;
    expect(traffic.failed).toBeUndefined();
    lineage = sorted(await lineageOf(first, table(1), 2 * (acknowledged - 1)));
    await first.stop();
    empty = await emptyDatabase();
    await restore(set, empty, `${set}-second`, `${set}-1`);
    second = await startInstance(set, {
      sharedDatabase: empty,
      config: onDisk(`${set}-second`),
    });
  });
  afterAll(async () => {
    await second?.stop();
    await empty?.drop();
  });

  it("tells in its manifest what it holds", () => {
    expect(manifest).toMatchObject({ format: 1, instance: first.test.name });
    expect(manifest.files.every(({ size, sha256 }) => size > 0 && sha256.length === 64)).toBe(true);
    expect(manifest.lineagePosition).toBeGreaterThan(0);
    expect(manifest.attachments).toMatchObject({ pieces: [expect.any(String)], deleted: [] });
  });

  it("restores everything that was acknowledged before it began, once, with its ids", async () => {
    const rows = await second.test.db.query<{ catrn: string; n: number }>(
      "SELECT catrn, count(*) AS n FROM data_entity WHERE catrn LIKE $1 GROUP BY catrn",
      [`${source}/tables/%`],
    );
    expect(rows.every(({ n }) => n === 1)).toBe(true);
    const found = new Set(rows.map(({ catrn }) => catrn));
    for (let n = 1; n <= acknowledged; n++) expect(found).toContain(table(n));
  });

  it("restores the lineage as it was", async () => {
    await eventually(async () => {
      const restored = sorted(await lineageOf(second, table(1), 2 * (acknowledged - 1)));
      expect(restored).toEqual(lineage);
    });
  });

  it("restores attachments and the rows of lookup tables, which number on", async () => {
    const content = await second.send("GET", `/api/dataentities/${entity}/files/${file}`);
    expect(await content.text()).toBe("content of a note");
    expect(await rowsOf(second, lookup)).toMatch(/de,1\r?\n.*fr,2/s);
    await importRows(second, lookup, "code\nit\n");
    expect(await rowsOf(second, lookup)).toMatch(/it,3/);
  });

  it("applies a later batch, and the same batches again without doubling anything", async () => {
    const counts = () =>
      second.test.db.query(
        `SELECT (SELECT count(*) FROM data_entity) AS entities,
                (SELECT count(*) FROM lineage_edge) AS edges`,
      );
    for (let n = 4; n <= acknowledged + 1; n++) await post(second, n);
    const before = await counts();
    for (let n = 1; n <= acknowledged; n++) expect(await post(second, n)).toBe("applied");
    expect(await counts()).toEqual(before);
    const later = acknowledged + 1_000;
    expect(await post(second, later)).toBe("applied");
    const { downstream } = await lineageOf(second, table(acknowledged), 2);
    expect(downstream.nodes.map(({ catrn }) => catrn)).toContain(table(acknowledged + 1));
    expect(await idOf(second, table(later))).toBeGreaterThan(0);
  });

  it("refuses a target that a Tributary uses", async () => {
    await expect(restore(set, second.test, `${set}-second`, `${set}-1`))
      .rejects.toThrow("sessions of a running Tributary use the database: stop it");
  });
});
