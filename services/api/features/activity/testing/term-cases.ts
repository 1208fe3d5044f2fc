import type { Database } from "#metadata/postgres/database.ts";
import type { Case } from "#services/api/features/activity/testing/case.ts";
import type { TestApi } from "#test/support/http/api.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const nobody = 999_999_999;

/** Links of entities with terms; `at` returns the API to call and its database. */
export function termCases(at: () => { api: TestApi; db: Database }): Record<string, Case> {
  const pathOf = (entity: number) => `/api/dataentities/${entity}/terms`;
  const term = async (): Promise<number> => {
    const form = { name: crypto.randomUUID(), namespace_name: "glossary", definition: "" };
    return (await at().api.post("/api/terms", form)).json.id;
  };
  return {
    addDataEntityTerm: {
      done: async () => {
        const [path, term_id] = [pathOf(await seedEntity(at().db)), await term()];
        return [() => at().api.post(path, { term_id })];
      },
      refused: async () => await at().api.post(pathOf(nobody), { term_id: await term() }),
    },
    deleteTermFromDataEntity: {
      done: async () => {
        const [path, term_id] = [pathOf(await seedEntity(at().db)), await term()];
        await at().api.post(path, { term_id });
        return [() => at().api.delete(`${path}/${term_id}`)];
      },
      refused: async () =>
        await at().api.delete(`${pathOf(await seedEntity(at().db))}/${await term()}`),
    },
  };
}
