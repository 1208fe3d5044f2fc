import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { LocalStorage } from "#storage/local.ts";
import { storageConformance } from "#test/conformance/storage.ts";
import { removed } from "#test/support/engines/directory.ts";

const root = mkdtempSync(join(tmpdir(), "tributary-local-"));
afterAll(() => removed(root));

storageConformance("local", () => Promise.resolve(new LocalStorage(join(root, "made", "here"))));

describe("LocalStorage", () => {
  const key = "0190a1b2-0000-7000-8000-0000000000aa";
  const directory = join(root, "own");
  const storage = new LocalStorage(directory);
  const names = () => readdirSync(join(directory, "aa"));

  it("keeps what it writes to itself, and leaves no unfinished file", async () => {
    await storage.put(key, new Uint8Array(3));
    expect(names()).toEqual([key]);
    expect((await stat(join(directory, "aa", key))).mode & 0o777).toBe(0o600);
    expect((await stat(join(directory, "aa"))).mode & 0o777).toBe(0o700);
  });

  it("shows nothing of a put that was cut off, and removes that too", async () => {
    writeFileSync(join(directory, "aa", `${key.replace("0190", "0191")}.part`), "half");
    expect(await storage.get(key.replace("0190", "0191"))).toBeNull();
    await storage.delete(key.replace("0190", "0191"));
    expect(names()).toEqual([key]);
  });

  it("rejects where the directory cannot be written", async () => {
    writeFileSync(join(root, "file"), "");
    await expect(new LocalStorage(join(root, "file")).put(key, new Uint8Array(1)))
      .rejects.toThrow();
  });
});
