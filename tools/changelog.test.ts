import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gather } from "./changelog.ts";
import { fragmentOf, mark, maxFragment } from "./changelog/fragments.ts";

let root: string;
const write = (name: string, text: string) => writeFileSync(join(root, name), text);
const changelog = () => readFileSync(join(root, "CHANGELOG.md"), "utf8");
const release = (draft = false) => gather({ root, day: "2030-01-02", draft });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "tributary-changelog-"));
  mkdirSync(join(root, "changes"));
  write("package.json", JSON.stringify({ version: "0.2.0" }));
  write("CHANGELOG.md", `# Changelog\n\n${mark}\n\n## 0.1.0 (2029-12-31)\n\n### Added\n\n- All.\n`);
  write("changes/README.md", "How to write one");
});
afterEach(() => rmSync(root, { recursive: true }));

describe("npm run changelog", () => {
  it("gathers the fragments by kind above earlier releases, and removes them", () => {
    write("changes/hub.fixed.md", "A hub is drawn.\nIt pages.\n");
    write("changes/terms.added.md", "Terms.");
    write("changes/alerts.added.md", "Alerts.");
    expect(release()).toEqual({ code: 0, text: "CHANGELOG.md lists 3 changes of 0.2.0." });
    expect(changelog()).toBe(`# Changelog

${mark}

## 0.2.0 (2030-01-02)

### Added

- Alerts.
- Terms.

### Fixed

- A hub is drawn.
  It pages.

## 0.1.0 (2029-12-31)

### Added

- All.
`);
    expect(readdirSync(join(root, "changes"))).toEqual(["README.md"]);
  });

  it("as a draft only shows the section", () => {
    const before = changelog();
    write("changes/terms.added.md", "Terms.");
    expect(release(true).text).toBe("## 0.2.0 (2030-01-02)\n\n### Added\n\n- Terms.\n");
    expect([changelog(), readdirSync(join(root, "changes")).sort()])
      .toEqual([before, ["README.md", "terms.added.md"]]);
  });

  it("changes nothing when a fragment is wrong, none is there, or the version was released", () => {
    const before = changelog();
    expect(release()).toMatchObject({ code: 1 });
    write("changes/terms.added.md", "Terms.");
    write("changes/odd.md", "Odd.");
    expect(release()).toMatchObject({ code: 1, text: expect.stringMatching(/^changes\/odd\.md /) });
    rmSync(join(root, "changes/odd.md"));
    write("package.json", JSON.stringify({ version: "0.1.0" }));
    expect(() => release()).toThrow("0.1.0 already");
    expect([changelog(), readdirSync(join(root, "changes")).length]).toEqual([before, 2]);
  });
});

describe("fragmentOf", () => {
  it("takes each kind", () => {
    expect(fragmentOf("two-words.security.md", "Text.\r\n")).toEqual({
      kind: "security",
      text: "Text.",
    });
  });

  it.each([
    ["no-kind.md", "Text."],
    ["odd.improved.md", "Text."],
    ["Upper.added.md", "Text."],
    ["empty.added.md", " \n"],
    ["long.added.md", "x".repeat(maxFragment + 1)],
    ["titled.added.md", "# Title\n\nText."],
    ["unfinished.added.md", "Text without an end"],
  ])("refuses %s", (name, text) => expect(typeof fragmentOf(name, text)).toBe("string"));
});
