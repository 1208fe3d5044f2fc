import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { mark } from "./changelog/fragments.ts";
import { release } from "./release.ts";

let root: string;
const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const write = (name: string, text: string) => writeFileSync(join(root, name), text);
const read = (name: string) => readFileSync(join(root, name), "utf8");
const make = (version: string, draft = false) =>
  release({
    root,
    version,
    day: "2030-01-02",
    draft,
    generate: () => write("Chart.yaml", `version: ${JSON.parse(read("package.json")).version}\n`),
  });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "tributary-release-"));
  mkdirSync(join(root, "changes"));
  write("package.json", JSON.stringify({ name: "t", version: "0.1.0" }));
  write(
    "package-lock.json",
    JSON.stringify({ version: "0.1.0", packages: { "": { version: "0.1.0" } } }),
  );
  write("CHANGELOG.md", `# Changelog\n\n${mark}\n`);
  write("changes/README.md", "How to write one");
  write("changes/terms.added.md", "Terms.");
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  git("add", "--all");
  git("commit", "--quiet", "--message", "First");
});
afterEach(() => rmSync(root, { recursive: true }));

it("writes version, lock, changelog and chart, and tags the commit with what changed", () => {
  expect(make("0.2.0")).toEqual({
    code: 0,
    text: "Tagged v0.2.0. Publish it: git push --follow-tags",
  });
  expect(git("describe", "--tags")).toBe("v0.2.0");
  expect(git("status", "--porcelain")).toBe("");
  expect(JSON.parse(read("package-lock.json"))).toEqual({
    version: "0.2.0",
    packages: { "": { version: "0.2.0" } },
  });
  expect(read("Chart.yaml")).toBe("version: 0.2.0\n");
  expect(read("CHANGELOG.md")).toContain("## 0.2.0 (2030-01-02)\n\n### Added\n\n- Terms.");
  expect(git("tag", "--list", "--format=%(contents)", "v0.2.0")).toContain("- Terms.");
  expect(git("log", "-1", "--format=%s")).toBe("Release 0.2.0");
});

it("as a draft only shows the section", () => {
  expect(make("0.2.0", true)).toMatchObject({ code: 0, text: expect.stringContaining("- Terms.") });
  expect([git("tag"), git("status", "--porcelain")]).toEqual(["", ""]);
});

it.each<[string, string, () => void]>([
  ["0.2", "0.2 is no version", () => {}],
  ["0.0.9", "below 0.1.0", () => {}],
  ["0.2.0", "tagged already", () => git("tag", "v0.2.0")],
  ["0.1.0", "already: raise it", () => git("tag", "v0.0.1")],
  ["0.2.0", "not committed", () => write("other", "x")],
  ["0.2.0", "no fragments", () => git("rm", "--quiet", "changes/terms.added.md")],
])("refuses %s: %s", (version, cause, prepare) => {
  prepare();
  if (cause === "no fragments") git("commit", "--quiet", "--message", "None");
  const before = git("rev-parse", "HEAD");
  expect(make(version)).toMatchObject({ code: 1, text: expect.stringContaining(cause) });
  expect(git("rev-parse", "HEAD")).toBe(before);
});
