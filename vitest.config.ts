import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { matchesGlob } from "node:path";
import process from "node:process";
import { transformWithOxc } from "vite";
import { defineConfig } from "vitest/config";
import { findJava, findPython } from "./test/support/openlineage/find-programs.ts";
import { LongestFirst } from "./test/support/longest-first.ts";
import { isLongRun } from "./test/support/size.ts";
import { canHaveS3 } from "./test/support/sources/s3.ts";
import { findBrowser, howToGetOne } from "./test/support/web/find-browser.ts";
import { canHaveHelm, howToInstallGo } from "./tools/helm/install.mjs";
import { chosenLane, laneFiles } from "./tools/tests/ci-lanes.ts";
import { testFiles } from "./tools/tests/lanes.ts";

/** Tests that need a program which machines may lack; with CI=true they fail where it is missing. */
const needs = [
  {
    files: "test/web/**",
    isInstalled: () => findBrowser() !== undefined,
    notice: `Skipping the tests of the web interface: ${howToGetOne}`,
  },
  {
    files: "test/e2e/{openlineage-clients,openlineage-dbt,datahub-client,datahub-kafka}.test.ts",
    isInstalled: findPython,
    notice:
      "Skipping the tests with OpenLineage of Python and dbt, and with DataHub: install Python 3.10 with venv",
  },
  {
    files: "services/collector/connectors/{airflow/real-server,dbt/real-project}.test.ts",
    isInstalled: findPython,
    notice: "Skipping the tests of connections with Airflow and dbt: install Python 3.10 with venv",
  },
  {
    files: "test/e2e/openlineage-{java,spark,flink,debezium}.test.ts",
    isInstalled: findJava,
    notice:
      "Skipping the tests with the OpenLineage client of Java, Spark, Flink and Debezium: install Maven and a JDK, 17 or newer",
  },
  {
    files: "services/collector/connectors/{iceberg,kafka}/real-server.test.ts",
    isInstalled: findJava,
    notice:
      "Skipping the tests with servers of Iceberg and Kafka Connect: install Maven and a JDK, 17 or newer",
  },
  {
    files: "services/collector/connectors/files/real-server.test.ts",
    isInstalled: canHaveS3,
    notice:
      "Skipping the tests with a server of S3: install Go 1.24 or newer, with which it is built",
  },
  {
    files: "tools/helm/{parts,refused,rendered}.test.ts",
    isInstalled: canHaveHelm,
    notice: `Skipping the tests of the Helm chart: ${howToInstallGo}`,
  },
];

/** Takes minutes and rarely breaks; `npm run test:long` runs it. */
export const longOnly = [
  "bench/all.test.ts",
  "services/collector/connectors/*/real-{server,project}.test.ts",
  "test/e2e/openlineage-{dbt,java,spark,flink,debezium}.test.ts",
  "test/e2e/datahub-{client,kafka}.test.ts",
  "test/e2e/{backup-places,upgrade,upgrade-replicas}.test.ts",
  "test/faults/{alerts-burst,failover,machine-lost,messages,traces-pressure}.test.ts",
  "test/faults/{campaign,datahub,openlineage,traces}-{distributed,embedded}.test.ts",
  "test/web/{click-budgets-seldom,hostile,second-engine}.test.ts",
  "tools/helm/{parts,refused,rendered}.test.ts",
];

const missing = process.env.CI === "true" ? [] : needs.filter((need) => !need.isInstalled());
for (const { notice } of missing) console.log(notice);
if (!isLongRun) console.log(`Left to npm run test:long: ${longOnly.join(", ")}`);

/** Files that do not share a process: `vi.mock` and the export of traces hold for all of it. */
const isolated = [
  ...testFiles(".").filter((file) => readFileSync(file, "utf8").includes("vi.mock(")),
  "platform/telemetry/on-demand.test.ts",
  "test/e2e/{demo,traces}.test.ts",
];

/** Files of the interface, which Vite builds. */
const ofInterface = ["web/**/*.test.{ts,tsx}"];

const everything = ["**/*.test.ts", "**/*.test.tsx"];
const exclude = [
  "node_modules/**",
  "data/**",
  ...missing.map(({ files }) => files),
  ...(isLongRun ? [] : longOnly),
];
const lane = chosenLane();
const include = lane ? laneFiles(lane) : everything;

const common = {
  pool: "forks" as const,
  // Files wait for engines and timers more than half of the time.
  maxWorkers: availableParallelism() + 2,
  // These end what hangs. They are no measure of speed: a shared machine may be many times slower.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 90_000 } },
  retry: 0,
};

/**
 * Compiles TypeScript in the place of vite's own plugin, which looks up a tsconfig for each file with an object of
 * native code. Deno before 2.9 sometimes makes that object without its contents (denoland/deno#33924), and then no
 * test file can be loaded. No file needs a tsconfig.
 */
const typescript = {
  name: "typescript",
  transform(code: string, id: string) {
    const [file = id] = id.split("?");
    return /\.m?tsx?$/.test(file) ? transformWithOxc(code, file, { tsconfig: false }) : undefined;
  },
};

const compiler = { oxc: false as const, plugins: [typescript] };

/**
 * The runtime itself loads and compiles the modules of the tests, and caches what it compiled: a twentieth less CPU than by
 * Vite, but without `vi.mock` (decision 0157). To watch files, Vite must know which test imports which module.
 */
export const native = process.argv.includes("watch") ? {} : {
  experimental: { viteModuleRunner: false },
  runner: "./test/support/native-runner.ts",
};

export default defineConfig({
  ...compiler,
  test: {
    ...common,
    include,
    exclude,
    sequence: { sequencer: LongestFirst },
    globalSetup: ["test/support/engines/global-setup.ts"],
    projects: projectsOf(include, native),
  },
});

/**
 * Files share a process, and so its modules, but for those that cannot. `loading` says who loads the modules of all but
 * the interface, whose style sheets only Vite can load, and those in `isolated`; `more` is for all files.
 */
export function projectsOf(
  include: string[],
  loading: Record<string, unknown>,
  more: Record<string, unknown> = {},
) {
  const project = (name: string, own: Record<string, unknown>) => ({
    ...compiler,
    test: { ...common, ...more, exclude, isolate: false, ...own, name },
  });
  const among = (globs: string[]) =>
    include === everything
      ? globs
      : include.filter((file) => globs.some((glob) => matchesGlob(file, glob)));
  return [
    project("tests", {
      ...loading,
      include,
      exclude: [...exclude, ...isolated, ...ofInterface],
    }),
    project("interface", { include: among(ofInterface) }),
    project("isolated", { include: among(isolated), isolate: true }),
  ];
}
