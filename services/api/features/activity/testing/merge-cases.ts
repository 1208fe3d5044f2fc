import type { Database } from "#metadata/postgres/database.ts";
import type { Case } from "#services/api/features/activity/testing/case.ts";
import type { TestApi } from "#test/support/http/api.ts";
import { seedField, seedVersion } from "#test/support/seed/seed-dataset.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const nobody = 999_999_999;

interface CaseContext {
  api: TestApi;
  db: Database;
}

/** Merges of spellings; `at` returns the API to call and its database. */
export function mergeCases(at: () => CaseContext): Record<string, Case> {
  return { ...entityNameCases(at), ...glossaryNameCases(at) };
}

const post = ({ api }: CaseContext, path: string) => api.post(`${path}/merge`, undefined);
const refused = (at: () => CaseContext, path: string) => () => post(at(), `${path}/${nobody}`);

/** Two rows of one name, stored before names were folded. */
async function spelled({ db }: CaseContext, kind: string): Promise<{ id: number; name: string }[]> {
  const name = `Spelled ${crypto.randomUUID()}`;
  return await db.query(
    `INSERT INTO ${kind} (name) VALUES ($1), (upper($1)) RETURNING id, name`,
    [name],
  );
}

async function column({ db }: CaseContext, entity: number): Promise<number> {
  const field = await seedField(db, entity, { catrn: `//merged/${entity}/a` });
  await seedVersion(db, entity, 1, [field]);
  return field;
}

function link({ db }: CaseContext, table: string, ...values: unknown[]) {
  const places = values.map((_, i) => `$${i + 1}`).join(", ");
  return db.query(`INSERT INTO ${table} VALUES (${places})`, values);
}

function entityNameCases(at: () => CaseContext): Record<string, Case> {
  return {
    mergeTags: {
      done: async () => {
        const [one, other] = await spelled(at(), "tag");
        const entity = await seedEntity(at().db);
        await link(at(), "entity_tag", entity, other!.id, "INTERNAL");
        await link(at(), "field_tag", await column(at(), entity), other!.id, "INTERNAL");
        return [() => post(at(), `/api/tags/${one!.id}`)];
      },
      refused: refused(at, "/api/tags"),
    },
    mergeOwners: {
      done: async () => {
        const [one, other] = await spelled(at(), "owner");
        await at().db.query("INSERT INTO ownership (entity_id, owner_id) VALUES ($1, $2)", [
          await seedEntity(at().db),
          other!.id,
        ]);
        return [() => post(at(), `/api/owners/${one!.id}`)];
      },
      refused: refused(at, "/api/owners"),
    },
  };
}

function glossaryNameCases(at: () => CaseContext): Record<string, Case> {
  return {
    mergeNamespaces: {
      done: async () => {
        const [one, other] = await spelled(at(), "namespace");
        const type = { id: 22, name: "DOMAIN" };
        const form = { name: "merged", namespace_name: other!.name, type, entities: [] };
        await at().api.post("/api/dataentitygroups", form);
        return [() => post(at(), `/api/namespaces/${one!.id}`)];
      },
      refused: refused(at, "/api/namespaces"),
    },
    mergeTerms: {
      done: async () => {
        const [first, second] = await at().db.query<{ id: number }>(
          `WITH n AS (INSERT INTO namespace (name) VALUES ($1) RETURNING id)
           INSERT INTO term (namespace_id, name, definition)
           SELECT n.id, t.name, '' FROM n, unnest('{Merged,merged}'::text[]) AS t (name) RETURNING id`,
          [crypto.randomUUID()],
        );
        const entity = await seedEntity(at().db);
        await link(at(), "entity_term", entity, second!.id);
        await link(at(), "field_term", await column(at(), entity), second!.id);
        return [() => post(at(), `/api/terms/${first!.id}`)];
      },
      refused: refused(at, "/api/terms"),
    },
  };
}
