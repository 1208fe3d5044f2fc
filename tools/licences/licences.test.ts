import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isAllowed, licenceProblems } from "./allowed.ts";
import { importsOfWeb, lockedPackages, shippedPackages } from "./packages.ts";
import { licencesMarkdown, packagesOfProduct } from "./report.ts";

const lock = {
  "": {
    version: "1.0.0",
    dependencies: { server: "1.0.0" },
    devDependencies: { "test-tool": "3.0.0" },
  },
  "node_modules/server": { version: "1.0.0", license: "MIT", dependencies: { helper: "1" } },
  "node_modules/helper": { version: "1.0.0", license: "ISC" },
  "node_modules/page": {
    version: "2.0.0",
    license: "MIT",
    dependencies: { helper: "2" },
  },
  "node_modules/page/node_modules/helper": { version: "2.0.0" },
  "node_modules/test-tool": { version: "3.0.0", license: "GPL-3.0-only" },
};

describe("the packages that reach users", () => {
  it("are those of services and what the web interface is built from, not those of tests", () => {
    expect(shippedPackages(lock, ["page", "server"])).toEqual([
      { name: "helper", version: "1.0.0", licence: "ISC", in: "services" },
      { name: "helper", version: "2.0.0", licence: "unknown", in: "web interface" },
      { name: "page", version: "2.0.0", licence: "MIT", in: "web interface" },
      { name: "server", version: "1.0.0", licence: "MIT", in: "services" },
    ]);
  });

  it("are all named in package-lock.json", async () => {
    const locked = lockedPackages();
    const missing = (await importsOfWeb()).filter((name) => !locked[`node_modules/${name}`]);
    expect(missing).toEqual([]);
  });

  it("include React and the runtime of the services", async () => {
    const names = (await packagesOfProduct()).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["deno", "dompurify", "pg", "react", "react-dom"]),
    );
    expect(names).not.toContain("vitest");
  });
});

describe("licences", () => {
  it.each(["MIT", "Apache-2.0", "(MPL-2.0 OR Apache-2.0)", "MIT AND BSD-3-Clause"])(
    "allow passing on: %s",
    (licence) => expect(isAllowed(licence)).toBe(true),
  );

  it.each([
    "AGPL-3.0-only",
    "GPL-3.0-or-later",
    "LGPL-2.1",
    "SSPL-1.0",
    "BUSL-1.1",
    "MIT AND GPL-2.0-only",
    "(MIT OR Apache-2.0) AND (GPL-2.0-only)",
    "SEE LICENSE IN LICENSE",
    "UNLICENSED",
    "unknown",
    "",
  ])("are refused: %s", (licence) => expect(isAllowed(licence)).toBe(false));

  it("are all allowed in this product", async () => {
    expect(licenceProblems(await packagesOfProduct())).toEqual([]);
  });

  it("that are refused name the package", () => {
    const [problem] = licenceProblems([
      { name: "db", version: "4.0.0", licence: "SSPL-1.0", in: "services" },
    ]);
    expect(problem).toContain("db@4.0.0 has the licence SSPL-1.0");
  });

  it("stand in the report as they are now", async () => {
    const report = licencesMarkdown(await packagesOfProduct());
    expect(readFileSync("docs/reference/licences.md", "utf8")).toBe(report);
  });
});
