import { expect, it } from "vitest";
import type { DataQualityResults, SLAColour } from "#contract/catalogue/quality.ts";
import { type RunStatus, runStatuses } from "#contract/entities.ts";
import { qualityRoutes } from "#services/api/features/quality/routes.ts";
import type { Severity } from "#services/api/features/quality/service.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seeded } from "#test/support/random.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { seedRun } from "#test/support/seed/seed-dataset.ts";
import { seedTest } from "#services/api/features/quality/testing/seed.ts";

// Quality worked out once more, run by run and word by word as docs/use/quality.md has it.

const { api, database } = featureUnderTest(qualityRoutes);
const seed = 20_261_122;
const random = seeded(seed);
const below = (n: number) => Math.floor(random() * n);
const oneOf = <T>(from: readonly T[]): T => from[below(from.length)]!;

interface Run {
  catrn: string;
  status: RunStatus;
  begun: number;
  ended: number | null;
}
interface Test {
  id: number;
  runs: Run[];
  severities: Map<number, Severity>;
}

const timeOf = ({ begun, ended }: Run) => ended ?? begun;
/** The run that is shown as the latest of several. */
function last(runs: Run[]): Run | undefined {
  let latest: Run | undefined;
  for (const run of runs) {
    const later = latest === undefined || timeOf(run) > timeOf(latest) ||
      timeOf(run) === timeOf(latest) && run.catrn > latest.catrn;
    if (later) latest = run;
  }
  return latest;
}
const latestOf = (test: Test) => last(test.runs)?.status;
const finishedOf = (test: Test) => last(test.runs.filter((r) => r.status !== "RUNNING"))?.status;

async function someTest(datasets: number[], serial: number): Promise<Test> {
  const severities = new Map<number, Severity>();
  const of = datasets.filter(() => random() < 0.3).map((dataset): [number, Severity | null] => {
    const given = oneOf(["MINOR", "MAJOR", "CRITICAL", null] as const);
    severities.set(dataset, given ?? "MAJOR");
    return [dataset, given];
  });
  const id = await seedTest(database.db, { of });
  const likely: RunStatus[] = ["SUCCESS", "SUCCESS", "SUCCESS", "FAILED", "FAILED", ...runStatuses];
  const runs = Array.from({ length: below(5) }, (_, n): Run => {
    const [begun, status] = [below(6), oneOf(likely)];
    const ended = random() < 0.2 ? null : begun + below(4);
    return { catrn: `//run/${serial}/${n}`, status, begun, ended };
  });
  const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));
  for (const { catrn, status, begun, ended } of runs) {
    await seedRun(database.db, id, {
      catrn,
      kind: "TEST",
      status,
      start: at(begun),
      end: ended === null ? null : at(ended),
    });
  }
  return { id, runs, severities };
}

const severest: Severity[] = ["MINOR", "MAJOR", "CRITICAL"];

function expectedSla(tests: Test[], dataset: number) {
  const finished = tests.filter((t) => ["SUCCESS", "FAILED"].includes(finishedOf(t) ?? ""));
  const [minor, major, critical] = severest.map((severity) =>
    finished.filter((test) => test.severities.get(dataset) === severity)
      .map((test) => finishedOf(test) === "SUCCESS")
  ) as [boolean[], boolean[], boolean[]];
  const failing = (list: boolean[]) => list.filter((succeeded) => !succeeded).length;
  const all = (list: boolean[]) => list.length > 0 && failing(list) === list.length;
  let colour: SLAColour = "GREEN";
  if (all(minor) || failing(major) > 0 || finished.length === 0) colour = "YELLOW";
  if (major.length > 0 && failing(major) === major.length - 1 && all(minor)) colour = "RED";
  if (all(major) || failing(critical) > 0) colour = "RED";
  const ofMajor = minor.length || 1;
  const ofCritical = major.length * ofMajor || minor.length || 1;
  const weights = [minor.length, major.length * ofMajor, critical.length * ofCritical];
  const good = (list: boolean[]) => list.length - failing(list);
  return {
    total: weights[0]! + weights[1]! + weights[2]!,
    success: good(minor) + good(major) * ofMajor + good(critical) * ofCritical,
    sla_colour: colour,
    severity_weights: severest.map((severity, n) => ({ severity, count: weights[n]! })),
  };
}

function expectedReport(tests: Test[]) {
  const count = (status: RunStatus) => tests.filter((t) => finishedOf(t) === status).length;
  const never = tests.filter((test) => finishedOf(test) === undefined).length;
  const success = count("SUCCESS");
  return {
    score: tests.length === 0 ? null : Math.round(success / tests.length * 100),
    total: tests.length,
    success_total: success,
    failed_total: count("FAILED"),
    skipped_total: count("SKIPPED"),
    broken_total: count("BROKEN"),
    aborted_total: count("ABORTED"),
    unknown_total: count("UNKNOWN") + never,
    running_total: tests.filter((test) => latestOf(test) === "RUNNING").length,
  };
}

function healthOf(tests: Test[]): string {
  const finished = tests.map(finishedOf);
  if (finished.includes("FAILED")) return "error_tables";
  if (finished.includes("BROKEN")) return "warning_tables";
  const known = finished.some((status) => status !== undefined);
  return finished.includes("UNKNOWN") || !known ? "unknown_tables" : "healthy_tables";
}

it(`what is counted is what the rules say (seed ${seed})`, async () => {
  const datasets: number[] = [];
  for (let n = 0; n < 40; n++) datasets.push(await seedEntity(database.db));
  const tests: Test[] = [];
  for (let n = 0; n < 10; n++) tests.push(await someTest(datasets, n));
  for (let n = 10; n < 80; n++) {
    tests.push(await someTest(datasets.slice(n % 8 * 5, n % 8 * 5 + 5), n));
  }
  const health = { healthy_tables: 0, error_tables: 0, warning_tables: 0, unknown_tables: 0 };
  const colours = new Set<string>();
  for (const dataset of datasets) {
    const of = tests.filter((test) => test.severities.has(dataset));
    const sla = (await api.get(`/api/datasets/${dataset}/sla_report`)).json;
    expect(sla, `dataset ${dataset}`).toMatchObject(expectedSla(of, dataset));
    expect((await api.get(`/api/datasets/${dataset}/test_report`)).json, `dataset ${dataset}`)
      .toEqual(expectedReport(of));
    colours.add(sla.sla_colour);
    if (of.length > 0) health[healthOf(of) as keyof typeof health]++;
  }
  expect([...colours].sort()).toEqual(["GREEN", "RED", "YELLOW"]);
  const { json } = await api.get("/api/dataqatests/runs");
  const { test_results, tables_dashboard } = json as DataQualityResults;
  expect(tables_dashboard.tables_health).toEqual(health);
  expect(test_results[0]!.results).toEqual(runStatuses.map((status) => ({
    status,
    count: tests.filter((test) => latestOf(test) === status).length,
  })));
});
