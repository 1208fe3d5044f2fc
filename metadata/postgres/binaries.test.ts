import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { reachableServer, trustedCopy } from "#metadata/postgres/binaries.ts";
import { startProcess } from "#metadata/postgres/runtime.ts";

describe("reachableServer", () => {
  // An ordinary user's account is told as null: the packaged server runs as it is, without a copy.
  it("names a script that runs the packaged server", async () => {
    const store = mkdtempSync(join(tmpdir(), "tributary-server-"));
    try {
      const script = await reachableServer(store, store, null);
      const child = startProcess(script, ["initdb", "--version"], { cwd: store });
      expect(await child.exited).toEqual({ code: 0, said: "" });
      expect(readdirSync(store)).toEqual([]);
    } finally {
      rmSync(store, { recursive: true, force: true });
    }
  });
});

describe("trustedCopy", () => {
  let parent: string;
  let from: string;
  let to: string;
  const copy = () => trustedCopy(from, to);
  const holds = (name: string) => readFileSync(join(to, "bin", name), "utf8");
  const put = (text: string) => {
    writeFileSync(join(from, "bin", "postgres"), text, { mode: 0o700 });
    // The copy recognises a version by its modification time, which two quick writes may share.
    utimesSync(join(from, "bin", "postgres"), 1_000, 1_000);
  };
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), "tributary-binaries-"));
    [from, to] = [join(parent, "native"), join(parent, "copy")];
    mkdirSync(join(from, "bin"), { recursive: true });
    put("first");
    symlinkSync("postgres", join(from, "bin", "postgres.link"));
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it("copies once and whole, for others to read and run", () => {
    expect(dirname(copy())).toBe(to);
    put("second");
    accessSync(copy(), constants.X_OK);
    expect([holds("postgres"), holds("postgres.link")]).toEqual(["first", "first"]);
    expect(lstatSync(join(to, "bin", "postgres")).mode & 0o777).toBe(0o755);
    expect(lstatSync(join(to, "bin", "postgres.link")).isSymbolicLink()).toBe(false);
    expect(readdirSync(parent).sort()).toEqual(["copy", "native"]);
  });

  it("copies another version again", () => {
    copy();
    put("second");
    utimesSync(join(from, "bin", "postgres"), 2_000, 2_000);
    copy();
    expect(holds("postgres")).toBe("second");
  });

  const taken: [string, () => void][] = [
    ["what others may write to", () => chmodSync(to, 0o777)],
    ["a link to somewhere else", () => {
      renameSync(to, join(parent, "elsewhere"));
      symlinkSync(join(parent, "elsewhere"), to);
    }],
    ["what is not whole", () => rmSync(join(to, "complete"))],
  ];
  // Only root can create files that another account owns.
  if (process.getuid?.() === 0) {
    taken.push(["another account's", () => chownSync(to, 4_711, 4_711)]);
  }
  it.each(taken)("replaces %s", (_, spoil) => {
    copy();
    writeFileSync(join(to, "bin", "postgres"), "foreign");
    spoil();
    copy();
    expect(holds("postgres")).toBe("first");
    expect(lstatSync(to).isDirectory()).toBe(true);
  });
});
