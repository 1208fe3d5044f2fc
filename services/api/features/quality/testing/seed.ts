import type { RunStatus } from "#contract/entities.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import type { Severity } from "#services/api/features/quality/service.ts";
import { type SeedEntity, seedEntity } from "#test/support/seed/seed.ts";
import { seedRun } from "#test/support/seed/seed-dataset.ts";

export interface SeedTest extends SeedEntity {
  /** Datasets that it tests, each with a severity or none. */
  of?: [dataset: number, severity?: Severity | null][];
  /** Statuses of its runs, a minute after the other; RUNNING ones have no end. */
  runs?: RunStatus[];
  category?: string | null;
}

const start = Date.UTC(2026, 0, 1);
const minute = 60_000;

/** A test with its runs; its id. */
export async function seedTest(db: Queryable, given: SeedTest = {}): Promise<number> {
  const { of = [], runs = [], category = "ASSERTION", ...entity } = given;
  const id = await seedEntity(db, {
    type: "JOB",
    classes: [4],
    attributes: { data_quality_test: { suite_name: "suite", expectation: { category } } },
    ...entity,
  });
  for (const [dataset, severity] of of) {
    await db.query("INSERT INTO test_dataset (test_id, dataset_id) VALUES ($1, $2)", [id, dataset]);
    if (!severity) continue;
    await db.query(
      "INSERT INTO dataset_test_severity (test_id, dataset_id, severity) VALUES ($1, $2, $3)",
      [id, dataset, severity],
    );
  }
  for (const [at, status] of runs.entries()) {
    const begun = start + at * minute;
    await seedRun(db, id, {
      catrn: `//run/${id}/${at}`,
      kind: "TEST",
      status,
      start: new Date(begun),
      end: status === "RUNNING" ? null : new Date(begun + minute / 2),
    });
  }
  return id;
}
