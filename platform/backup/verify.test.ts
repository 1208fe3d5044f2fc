import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { directoryReader, directoryWriter, listBackups } from "#platform/backup/directory.ts";
import { verifyBackup } from "#platform/backup/manifest.ts";

const known = [
  { version: 1, name: "0001_catalogue.sql", checksum: "one" },
  { version: 3, name: "0003_people.sql", checksum: "three" },
];

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "tributary-verify-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (text: string) => ReadableStream.from([new TextEncoder().encode(text)]);
const file = "metadata/owner.copy.gz";

/** Writes a backup with one table; returns its directory. */
async function write(changes: Record<string, unknown> = {}): Promise<string> {
  const path = join(folder, "one");
  const writer = await directoryWriter(path);
  const files = [await writer.write(file, bytes("rows of owners"))];
  const manifest = {
    format: 1,
    product: "9.9.9",
    createdAt: "2030-01-01T00:00:00.000Z",
    instance: "tributary",
    engines: { metadata: "embedded", log: "postgres", graph: "postgres" },
    schema: { version: 3, migrations: known },
    lineagePosition: 7,
    log: [],
    tables: [{ table: "owner", columns: ["id"], file }],
    sequences: [],
    lookup: [],
    lookupSequences: [],
    attachments: { pieces: [], deleted: [] },
    files,
    ...changes,
  };
  await writer.commit(JSON.stringify(manifest));
  return path;
}

const verify = (path: string) => verifyBackup(directoryReader(path), known);

describe("a backup in a directory", () => {
  it("is whole once its manifest is there, and verifies", async () => {
    const path = await write();
    expect(await verify(path)).toMatchObject({ lineagePosition: 7, files: [{ size: 14 }] });
    expect(await listBackups(folder, "")).toEqual({ whole: ["one"], interrupted: [] });
  });

  it("does not exist before it is whole, and not at all when it is aborted", async () => {
    const writer = await directoryWriter(join(folder, "two"));
    await writer.write(file, bytes("rows"));
    expect(await listBackups(folder, "")).toEqual({ whole: [], interrupted: ["two.partial"] });
    await expect(verify(join(folder, "two"))).rejects.toThrow("two holds no backup");
    await writer.abort();
    expect(await listBackups(folder, "")).toEqual({ whole: [], interrupted: [] });
  });

  it("is never written over another one", async () => {
    const path = await write();
    await expect(directoryWriter(path)).rejects.toThrow("exists: name a directory that does not");
  });
});

describe("verification", () => {
  it("refuses a file whose bytes have changed, and names it", async () => {
    const path = await write();
    const content = readFileSync(join(path, file));
    content[3]! ^= 1;
    writeFileSync(join(path, file), content);
    await expect(verify(path)).rejects.toThrow(`damaged: ${file} has another checksum`);
  });

  it("refuses a truncated file, and one that is missing", async () => {
    const path = await write();
    truncateSync(join(path, file), 5);
    await expect(verify(path)).rejects.toThrow(`damaged: ${file} has 5 bytes instead of 14`);
    rmSync(join(path, file));
    await expect(verify(path)).rejects.toThrow(`damaged: ${file} is missing`);
  });

  it("refuses a table whose file is not listed, and a name that leaves the backup", async () => {
    const path = await write({ files: [] });
    await expect(verify(path)).rejects.toThrow(`damaged: ${file} has no checksum`);
    rmSync(path, { recursive: true });
    const outside = { name: "../other", size: 1, sha256: "0".repeat(64) };
    await write({ files: [outside] });
    await expect(verify(path)).rejects.toThrow("damaged at files.0.name: must be a path within");
  });

  it("refuses a newer schema version, and says which release to use", async () => {
    const newer = { version: 4, name: "0004_later.sql", checksum: "four" };
    const path = await write({ schema: { version: 4, migrations: [...known, newer] } });
    await expect(verify(path)).rejects.toThrow(
      "The backup has schema version 4 (release 9.9.9), this release has up to 3: restore with a release",
    );
  });

  it("refuses a migration that this release has in another form", async () => {
    const other = { ...known[0]!, checksum: "other" };
    const path = await write({ schema: { version: 1, migrations: [other] } });
    await expect(verify(path)).rejects.toThrow("made with 0001_catalogue.sql of the schema");
  });

  it("accepts an older schema version", async () => {
    const path = await write({ schema: { version: 1, migrations: [known[0]] } });
    expect((await verify(path)).schema.version).toBe(1);
  });

  it("refuses a newer format, and a manifest that is no JSON", async () => {
    const path = await write({ format: 2 });
    await expect(verify(path)).rejects.toThrow(
      "The backup has format 2, this release reads up to 1",
    );
    truncateSync(join(path, "manifest.json"), 20);
    await expect(verify(path)).rejects.toThrow("manifest.json is damaged: it is not JSON");
  });
});
