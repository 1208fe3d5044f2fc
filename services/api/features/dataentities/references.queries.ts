import type { ReferenceList } from "#contract/catalogue/entity.ts";
import type { PageWindow } from "#contract/http.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, type Statement, statement } from "#metadata/postgres/statement.ts";
import { listJson } from "#services/api/list-json.ts";

const named = (path: string) => `SELECT id, place FROM named_entities(e.attributes #> '{${path}}')`;

/** `members`: SQL of the entities in the list of entity `e`, with their positions. */
const page = (list: ReferenceList, members: string) =>
  statement<JsonRow>(`entity-references-${list}`)`
  SELECT ${
    listJson({
      each: "json_entity_ref(d, $4)",
      by: "shown.place",
      from: `unnest(listed.ids) WITH ORDINALITY AS shown (id, place)
      JOIN data_entity d ON d.id = shown.id`,
      total: "listed.total",
      window: ["$2", "$3"],
    })
  }::text AS json
    FROM data_entity e, LATERAL (
      WITH member AS MATERIALIZED (${members})
      SELECT (SELECT count(*) FROM member) AS total,
             ARRAY(SELECT id FROM member ORDER BY place LIMIT $2 OFFSET $3) AS ids) listed
   WHERE e.id = $1 AND NOT e.hollow`;

const pages: Record<ReferenceList, Statement<JsonRow>> = {
  source_list: page("source_list", named("data_transformer,inputs")),
  target_list: page("target_list", named("data_transformer,outputs")),
  input_list: page("input_list", named("data_consumer,inputs")),
  output_list: page("output_list", named("data_input,outputs")),
  datasets_list: page("datasets_list", "SELECT id, id AS place FROM test_datasets(e.id)"),
  entities: page("entities", "SELECT id, id AS place FROM group_members(e.id)"),
};

/** One page of a list as JSON text; undefined for an unknown or hollow entity. */
export async function referencePage(
  db: Queryable,
  id: number,
  list: ReferenceList,
  window: PageWindow,
  staleDays: number,
): Promise<string | undefined> {
  const values = [id, window.limit, window.offset, staleDays];
  const [row] = await db.query(pages[list], values);
  return row?.json;
}
