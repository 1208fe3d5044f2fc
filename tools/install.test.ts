import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("npm runs no install script, and each that a package has was decided on", () => {
  expect(readFileSync(".npmrc", "utf8")).toMatch(/^ignore-scripts=true$/m);
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const { allowScripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const scripted = Object.entries<{ hasInstallScript?: boolean; dev?: boolean }>(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.split("node_modules/").at(-1)!);
  expect(scripted).toContain("deno");
  expect(scripted.filter((name) => !(name in allowScripts))).toEqual([]);
});
