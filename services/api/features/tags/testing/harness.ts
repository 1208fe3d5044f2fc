import { TagsResponse } from "#contract/catalogue/common.ts";
import { tagRoutes } from "#services/api/features/tags/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";

/** Tags under test. Call it at the top of a test file. */
export function tagsUnderTest() {
  const { api, database } = featureUnderTest(tagRoutes);
  const list = async (query: string) =>
    TagsResponse.parse((await api.get(`/api/tags?page=1&size=50&${query}`)).json).items;
  const put = (entity: number, ...names: string[]) =>
    api.put(`/api/dataentities/${entity}/tags`, { tag_name_list: names });
  /** Tags of an entity with their origins. */
  const stored = async (entity: number) =>
    (await database.db.query<{ t: string }>(
      `SELECT t.name || ' ' || x.origin AS t FROM entity_tag x JOIN tag t ON t.id = x.tag_id
        WHERE x.entity_id = $1 ORDER BY 1`,
      [entity],
    )).map(({ t }) => t);
  const found = async (word: string) =>
    (await database.db.query<{ id: number }>(
      "SELECT entity_id AS id FROM search_document WHERE vector @@ search_query($1) ORDER BY 1",
      [word],
    )).map(({ id }) => id);
  return { api, database, list, put, stored, found };
}
