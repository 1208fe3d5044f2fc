import type { Database } from "#metadata/postgres/database.ts";
import type { Case } from "#services/api/features/activity/testing/case.ts";
import type { TestApi } from "#test/support/http/api.ts";
import { seedField, seedVersion } from "#test/support/seed/seed-dataset.ts";
import { seedTerm } from "#test/support/seed/seed-terms.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const nobody = 999_999_999;

interface CaseContext {
  api: TestApi;
  db: Database;
}

/** Descriptions, names, metadata and dataset fields; `at` returns the API to call and its database. */
export function describingCases(at: () => CaseContext): Record<string, Case> {
  return { ...entityCases(at), ...metadataCases(at), ...fieldCases(at), ...fieldTermCases(at) };
}

/** Puts a body to a path of something that `make` makes, and to the same path of nothing. */
function putting(
  at: () => CaseContext,
  made: () => Promise<string>,
  none: string,
  body: object,
): Case {
  return {
    done: async () => {
      const path = await made();
      return [() => at().api.put(path, body)];
    },
    refused: () => at().api.put(none, body),
  };
}

function entityCases(at: () => CaseContext): Record<string, Case> {
  const of = (member: string) => async () =>
    `/api/dataentities/${await seedEntity(at().db)}/${member}`;
  const none = (member: string) => `/api/dataentities/${nobody}/${member}`;
  return {
    upsertDataEntityInternalDescription: putting(at, of("description"), none("description"), {
      internal_description: "What [[sales:revenue]] is made of",
    }),
    upsertDataEntityInternalName: putting(at, of("name"), none("name"), {
      internal_name: "Orders",
    }),
  };
}

function metadataCases(at: () => CaseContext): Record<string, Case> {
  const pathOf = (entity: number) => `/api/dataentities/${entity}/metadata`;
  const form = [{ name: "level", type: "INTEGER", value: "1" }];
  const made = async () => {
    const path = pathOf(await seedEntity(at().db));
    return `${path}/${(await at().api.post(path, form)).json.items[0].field.id}`;
  };
  return {
    createDataEntityMetadataFieldValue: {
      done: async () => {
        const path = pathOf(await seedEntity(at().db));
        return [() => at().api.post(path, form)];
      },
      refused: async () =>
        await at().api.post(pathOf(await seedEntity(at().db)), [...form, ...form]),
    },
    upsertDataEntityMetadataFieldValue: putting(at, made, `${pathOf(nobody)}/1`, { value: "2" }),
    deleteDataEntityMetadataFieldValue: {
      done: async () => {
        const path = await made();
        return [() => at().api.delete(path)];
      },
      refused: async () => await at().api.delete(`${pathOf(await seedEntity(at().db))}/${nobody}`),
    },
  };
}

/** A field of a dataset's newest version; its path. */
async function fieldOf({ db }: CaseContext): Promise<string> {
  const dataset = await seedEntity(db);
  const field = await seedField(db, dataset, { catrn: "//a/f" });
  await seedVersion(db, dataset, 1, [field]);
  return `/api/datasetfields/${field}`;
}

function fieldCases(at: () => CaseContext): Record<string, Case> {
  const of = (member: string) => async () => `${await fieldOf(at())}/${member}`;
  const none = (member: string) => `/api/datasetfields/${nobody}/${member}`;
  const values = { items: [{ name: "a" }, { name: "b", description: "second" }] };
  return {
    updateDatasetFieldDescription: putting(at, of("description"), none("description"), {
      description: "cents",
    }),
    updateDatasetFieldInternalName: putting(at, of("name"), none("name"), {
      internal_name: "amount",
    }),
    updateDatasetFieldTags: putting(at, of("tags"), none("tags"), { tags: ["a", "b"] }),
    createEnumValue: {
      done: async () => {
        const path = await of("enum_values")();
        return [() => at().api.post(path, values)];
      },
      refused: async () =>
        await at().api.post(await of("enum_values")(), { items: [{ id: nobody, name: "a" }] }),
    },
  };
}

function fieldTermCases(at: () => CaseContext): Record<string, Case> {
  const term = () => seedTerm(at().db, "sales", crypto.randomUUID());
  return {
    addDatasetFieldTerm: {
      done: async () => {
        const [path, term_id] = [await fieldOf(at()), await term()];
        return [() => at().api.post(`${path}/terms`, { term_id })];
      },
      refused: async () => await at().api.post(`${await fieldOf(at())}/terms`, { term_id: nobody }),
    },
    deleteTermFromDatasetField: {
      done: async () => {
        const [path, term_id] = [await fieldOf(at()), await term()];
        await at().api.post(`${path}/terms`, { term_id });
        return [() => at().api.delete(`${path}/terms/${term_id}`)];
      },
      refused: async () => await at().api.delete(`${await fieldOf(at())}/terms/${await term()}`),
    },
  };
}
