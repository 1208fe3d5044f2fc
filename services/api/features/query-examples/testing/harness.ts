import { QueryExampleRefList } from "#contract/catalogue/assets.ts";
import { queryExampleRoutes } from "#services/api/features/query-examples/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";

const path = "/api/queryexample";

/** Query examples under test. Call it at the top of a test file. */
export function queryExamplesUnderTest() {
  const { api, database } = featureUnderTest(queryExampleRoutes);
  /** Keeps one; its id. */
  const make = async (definition: string, query = "SELECT 1"): Promise<number> => {
    const answer = await api.post(path, { definition, query });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json.id;
  };
  const list = async (query = "") =>
    QueryExampleRefList.parse((await api.get(`${path}?page=1&size=50${query}`)).json);
  /** Definitions of what is found by a text. */
  const found = async (text: string) =>
    (await list(`&query=${encodeURIComponent(text)}`)).items.map(({ definition }) => definition);
  const details = async (id: number) => (await api.get(`${path}/${id}`)).json;
  const attach = (thing: "dataentities" | "terms", id: number, example: number) =>
    api.post(`/api/${thing}/${id}/queryexample`, { query_example_id: example });
  const detach = (thing: "dataentities" | "terms", id: number, example: number) =>
    api.delete(`/api/${thing}/${id}/queryexample/${example}`);
  return { api, database, make, list, found, details, attach, detach };
}
