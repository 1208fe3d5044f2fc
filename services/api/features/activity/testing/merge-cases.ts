import type { Database } from "#metadata/postgres/database.ts";
import type { Case } from "#services/api/features/activity/testing/case.ts";
import type { TestApi } from "#test/support/http/api.ts";
import { seedField, seedVersion } from "#test/support/seed/seed-dataset.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const nobody = 999_999_999;

/** Merges of spellings; `at` tells what to call and the database behind it. */
export function mergeCases(at: () => { api: TestApi; db: Database }): Record<string, Case> {
  const post = (path: string) => at().api.post(`${path}/merge`, undefined);
  /** Two rows of one name, stored before names were folded. */
  const spelled = async (kind: string): Promise<{ id: number; name: string }[]> => {
    const name = `Spelled ${crypto.randomUUID()}`;
    return await at().db.query(
      `INSERT INTO ${kind} (name) VALUES ($1), (upper($1)) RETURNING id, name`,
      [name],
    );
  };
  const column = async (entity: number): Promise<number> => {
    const field = await seedField(at().db, entity, { catrn: `//merged/${entity}/a` });
    await seedVersion(at().db, entity, 1, [field]);
    return field;
  };
  const link = (table: string, ...values: unknown[]) =>
    at().db.query(
      `INSERT INTO ${table} VALUES (${values.map((_, i) => `$${i + 1}`).join(", ")})`,
      values,
    );
  const refused = (path: string) => () => post(`${path}/${nobody}`);
  return {
    mergeTags: {
      done: async () => {
        const [one, other] = await spelled("tag");
        const entity = await seedEntity(at().db);
        await link("entity_tag", entity, other!.id, "INTERNAL");
        await link("field_tag", await column(entity), other!.id, "INTERNAL");
        return [() => post(`/api/tags/${one!.id}`)];
      },
      refused: refused("/api/tags"),
    },
    mergeOwners: {
      done: async () => {
        const [one, other] = await spelled("owner");
        await at().db.query("INSERT INTO ownership (entity_id, owner_id) VALUES ($1, $2)", [
          await seedEntity(at().db),
          other!.id,
        ]);
        return [() => post(`/api/owners/${one!.id}`)];
      },
      refused: refused("/api/owners"),
    },
    mergeNamespaces: {
      done: async () => {
        const [one, other] = await spelled("namespace");
        const type = { id: 22, name: "DOMAIN" };
        const form = { name: "merged", namespace_name: other!.name, type, entities: [] };
        await at().api.post("/api/dataentitygroups", form);
        return [() => post(`/api/namespaces/${one!.id}`)];
      },
      refused: refused("/api/namespaces"),
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
        await link("entity_term", entity, second!.id);
        await link("field_term", await column(entity), second!.id);
        return [() => post(`/api/terms/${first!.id}`)];
      },
      refused: refused("/api/terms"),
    },
  };
}
