import type { Case } from "#services/api/features/activity/testing/case.ts";
import type { TestApi } from "#test/support/http/api.ts";

const path = "/api/referencedata/table";
const nobody = 999_999_999;

/** Lookup tables; `at` returns the API to call. */
export function lookupTableCases(at: () => TestApi): Record<string, Case> {
  const form = () => ({ name: `codes ${crypto.randomUUID()}`, namespace_name: "reference" });
  const made = async (): Promise<string> =>
    `${path}/${(await at().post(path, form())).json.table_id}`;
  return {
    createReferenceTable: {
      done: () => Promise.resolve([() => at().post(path, form())]),
      refused: () => at().post(path, { ...form(), name: "" }),
    },
    updateLookupTable: {
      done: async () => {
        const table = await made();
        return [() => at().put(table, { name: `words ${crypto.randomUUID()}` })];
      },
      refused: () => at().put(`${path}/${nobody}`, { name: "x" }),
    },
    deleteLookupTable: {
      done: async () => {
        const table = await made();
        return [() => at().delete(table)];
      },
      refused: () => at().delete(`${path}/${nobody}`),
    },
  };
}
