import type { Database } from "#metadata/postgres/database.ts";
import type { Case } from "#services/api/features/activity/testing/case.ts";
import type { TestApi } from "#test/support/http/api.ts";
import { seedSource } from "#test/support/seed/seed.ts";

/** Alerts about data sources; `at` returns the API to call and its database. */
export function qualityCases(at: () => { api: TestApi; db: Database }): Record<string, Case> {
  const postAlert = (data_source_catrn: string, type = "AGENT_ERROR") =>
    at().api.post("/ingestion/alerts", {
      items: [{ data_source_catrn, message: "down", type }],
    });
  return {
    createAlerts: {
      done: async () => {
        const catrn = `//told/${crypto.randomUUID()}`;
        await seedSource(at().db, { catrn });
        return [() => postAlert(catrn), () => postAlert(catrn)];
      },
      refused: () => postAlert("//nobody", "FAILED_JOB"),
    },
  };
}
