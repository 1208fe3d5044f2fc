import type { Database } from "#metadata/postgres/database.ts";
import type { Case } from "#services/api/features/activity/testing/case.ts";
import type { TestApi } from "#test/support/http/api.ts";
import { group, insertEntities, insertMembers } from "#test/support/seed/catalogue.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const nobody = 999_999_999;

/** Ownerships and tags of entities; `at` returns the API to call and its database. */
export function peopleCases(at: () => { api: TestApi; db: Database }): Record<string, Case> {
  return { ...ownershipCases(at), ...tagCases(at) };
}

function ownershipCases(at: () => { api: TestApi; db: Database }): Record<string, Case> {
  const pathOf = (entity: number) => `/api/dataentities/${entity}/ownership`;
  /** Gives an entity an owner; the path of the ownership. */
  const own = async (entity: number): Promise<string> => {
    const form = { owner_name: "Ann", title_name: "Cook" };
    return `${pathOf(entity)}/${(await at().api.post(pathOf(entity), form)).json.id}`;
  };
  const groupOf = async (...members: number[]): Promise<number> => {
    const { g } = await insertEntities(at().db, [group("g")]);
    await insertMembers(at().db, members.map((member) => [g!, member]));
    return g!;
  };
  return {
    createOwnership: {
      done: async () => {
        const [member, other] = [await seedEntity(at().db), await seedEntity(at().db)];
        await own(member);
        const path = pathOf(await groupOf(member, other));
        const form = { owner_name: "Ann", title_name: "Chef", propagate: true };
        return [() => at().api.post(path, form)];
      },
      refused: () => at().api.post(pathOf(nobody), { owner_name: "Ann" }),
    },
    updateOwnership: {
      done: async () => {
        const path = await own(await groupOf(await seedEntity(at().db)));
        return [() => at().api.put(path, { title_name: "Chef", propagate: true })];
      },
      refused: async () => await at().api.put(`${pathOf(await seedEntity(at().db))}/${nobody}`, {}),
    },
    deleteOwnership: {
      done: async () => {
        const path = await own(await seedEntity(at().db));
        return [() => at().api.delete(path)];
      },
      refused: async () => await at().api.delete(`${pathOf(await seedEntity(at().db))}/${nobody}`),
    },
  };
}

function tagCases(at: () => { api: TestApi; db: Database }): Record<string, Case> {
  const form = { tag_name_list: ["a", "b"] };
  return {
    createDataEntityTagsRelations: {
      done: async () => {
        const id = await seedEntity(at().db);
        return [() => at().api.put(`/api/dataentities/${id}/tags`, form)];
      },
      refused: () => at().api.put(`/api/dataentities/${nobody}/tags`, form),
    },
  };
}
