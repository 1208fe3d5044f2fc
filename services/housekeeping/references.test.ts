import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as purge from "./purge.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

// Detects a new table that purging does not handle. If a test fails, add the table to the code that
// the test checks, or to the exceptions here with a reason.

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

/** Columns that are named like references but are none, with the reason. */
const withoutKey: Record<string, string> = {
  "activity.entity_id": "outlives the entity",
  "alert_event.alert_id": "outlives the alert",
  "alert_event.entity_id": "outlives the entity",
  "alert_event_published.event_id": "no entity",
  "alert_feed.settled_id": "no entity",
  "change.alert_id": "told for an hour: outlives the alert",
  "change.entity_id": "told for an hour: outlives the entity",
  "change.source_id": "no entity",
  "column_edge.source_id": "a column or a dataset; held by locks, see column_edge",
  "column_edge.target_id": "a column or a dataset; held by locks, see column_edge",
  "column_edge_history.establisher_id": "history: outlives the entity until it expires",
  "column_edge_history.source_id": "history: outlives the column's dataset until it expires",
  "column_edge_history.target_id": "history: outlives the column's dataset until it expires",
  "connection_item.added_run_id": "no entity",
  "connection_item.run_id": "no entity",
  "connection_statement.run_id": "no entity",
  "dataset_column.dataset_id": "goes with the last edge that names it, also of the history",
  "dataset_version.field_ids": "fields of one payload come and go with their dataset",
  "delivery.alert_id": "outlives the alert",
  "dh_term_link.entity_id": "the link that DataHub created, which may be gone",
  "dh_term_link.term_id": "no entity",
  "entity_deletion.entity_id": "history: outlives the entity until it expires",
  "entity_tombstone.entity_id": "history: outlives the entity until it expires",
  "lineage_edge.child_id": "held by locks; see lineage_edge",
  "lineage_edge.parent_id": "held by locks; see lineage_edge",
  "lineage_edge_history.child_id": "history: outlives the entity until it expires",
  "lineage_edge_history.establisher_id": "history: outlives the entity until it expires",
  "lineage_edge_history.parent_id": "history: outlives the entity until it expires",
  "lineage_outbox.entity_ids": "what moved, told also of those that are gone",
  "notification.alert_id": "outlives the alert",
  "notification.entity_id": "outlives the entity",
  "notification.event_id": "no entity",
  "rename_offer.run_id": "no entity",
  "search_document.data_source_id": "a copy of the entity's",
  "search_document.namespace_id": "a copy of the entity's",
  "search_refresh_queue.after_id": "a place in a walk over ids",
  "search_refresh_queue.subject_id": "no entity",
  "silence.entity_id": "keeps an entity quiet until a time, and expires",
  "silence.namespace_id": "no entity",
  "silence.owner_id": "no entity",
};

/** References that a purge keeps because others declared them; they keep the entity as a hollow one. */
const retainedByPurge: Record<string, string> = {
  "lineage_edge.child_id": "an edge that another declared",
  "lineage_edge.parent_id": "an edge that another declared",
  "relationship.source_id": "a relationship that another declared",
  "relationship.target_id": "a relationship that another declared",
  "task_run.task_id": "runs are records of their own",
  "test_dataset.dataset_id": "a test that another declared",
};

/** References that do not keep an entity: their rows belong to it, or declared it themselves. */
const keepsNothing: Record<string, string> = {
  "alert_halt_config.entity_id": "a setting of the entity",
  "attachment_file.entity_id": "a file that people attached",
  "attachment_link.entity_id": "a link that people attached",
  "column_edge.establisher_id": "declared by the entity itself",
  "dataset_field.dataset_id": "part of the entity's payload",
  "dataset_test_severity.dataset_id": "a setting of the entity",
  "dataset_test_severity.test_id": "a setting of the entity",
  "dataset_version.dataset_id": "part of the entity's payload",
  "entity_mention.entity_id": "part of its description",
  "entity_query_example.entity_id": "a link that people made",
  "entity_tag.entity_id": "part of the entity's payload",
  "entity_term.entity_id": "a link that people made",
  "entity_usage.entity_id": "derived from the query history of its source",
  "favorite.entity_id": "what people marked for themselves",
  "judged_run.task_id": "derived from its runs, which keep it",
  "lineage_edge.establisher_id": "declared by the entity itself",
  "lookup_table.entity_id": "is the entity itself",
  "message.entity_id": "what people said of it",
  "metadata_value.entity_id": "part of the entity's payload",
  "ownership.entity_id": "a setting of the entity",
  "recently_viewed.entity_id": "what people marked for themselves",
  "relationship.entity_id": "part of the entity's payload",
  "rename_offer.old_id": "an offer about the entity itself",
  "search_document.entity_id": "derived from the entity",
  "sql_reading.entity_id": "derived from the entity",
  "test_dataset.test_id": "declared by the entity itself",
};

/** Tables about entities whose texts are not part of search. */
const notSearched: Record<string, string> = {
  alert: "alerts are looked at in lists of their own",
  alert_chunk: "alerts are looked at in lists of their own",
  alert_halt_config: "no text",
  attachment_file: "files are looked at with their entity",
  attachment_link: "links are looked at with their entity",
  attachment_piece: "no text",
  column_edge: "no text of people",
  dataset_test_severity: "no text",
  dataset_version: "no text: its fields are found",
  entity_mention: "the description that mentions is found",
  entity_query_example: "query examples have a search of their own",
  entity_usage: "no text",
  enum_value: "values are read with their field",
  favorite: "no text",
  field_mention: "the description that mentions is found",
  field_metadata_value: "metadata of fields is read with the field",
  field_term: "terms of fields are read with the field",
  group_member: "no text: a member is not found by its group",
  judged_run: "no text of people",
  lineage_edge: "no text",
  lookup_column: "a column is found as the field that it is",
  lookup_document: "derived from the lookup table",
  lookup_table: "a table is found as the entity that it is",
  message: "discussions are read with their entity",
  recently_viewed: "no text",
  relationship: "its ends are found by their own names",
  relationship_field_pair: "CATRNs of fields, which are found by name",
  rename_offer: "no text of people",
  search_document: "what search_texts is for",
  search_document_part: "what search_texts is for",
  sql_reading: "no text",
  task_run: "runs come and go; their task is found",
  test_dataset: "no text",
};

/** Every reference in the database: by a foreign key, or by a check that runs once per statement. */
const everyReference = `
  SELECT k.conrelid::regclass::text AS referring, a.attname::text AS col,
         k.confrelid::regclass::text AS referred, k.confdeltype = 'c' AS cascading
    FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
   WHERE k.contype = 'f' AND k.conparentid = 0
  UNION ALL SELECT referring, col, referred, false FROM statement_reference`;

/** All references to entities, as `table.column`. */
async function references(): Promise<string[]> {
  const rows = await t.db.query<{ name: string }>(
    `SELECT referring || '.' || col AS name FROM (${everyReference}) r
      WHERE referred = 'data_entity' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** Tables whose references lead to entities; `cascading`: their rows are deleted automatically. */
function tablesAround() {
  return t.db.query<{ name: string; cascading: boolean }>(
    `WITH RECURSIVE every AS (${everyReference}), around (name, cascading) AS (
       SELECT referring, cascading FROM every WHERE referred = 'data_entity'
       UNION
       SELECT every.referring, every.cascading FROM every JOIN around ON every.referred = around.name)
     SELECT name, bool_or(cascading) AS cascading FROM around GROUP BY 1 ORDER BY 1`,
  );
}

const definition = async (name: string) =>
  (await t.db.query<{ body: string }>("SELECT prosrc AS body FROM pg_proc WHERE proname = $1", [
    name,
  ]))[0]!.body;

const statements = [...purge.declarations, ...purge.dependants].map(({ text }) => text);
const purged = (reference: string) => {
  const [table, column] = reference.split(".");
  return statements.some((s) =>
    new RegExp(`(DELETE FROM|UPDATE) ${table}\\b[^]*\\b${column} = ANY`).test(s)
  );
};

describe("every reference to an entity", () => {
  it("is held by the database, or says why not", async () => {
    const rows = await t.db.query<{ name: string }>(
      `SELECT c.relname || '.' || a.attname AS name
         FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
          AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
          AND a.attname ~ '_ids?$' AND a.atttypid IN ('bigint'::regtype, 'bigint[]'::regtype)
          AND NOT EXISTS (SELECT FROM (${everyReference}) r
                WHERE r.referring = c.relname AND r.col = a.attname)
        ORDER BY 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(withoutKey));
  });

  it("is removed by a purge, or keeps the entity by being somebody else's", async () => {
    const all = [...await references(), "lineage_edge.parent_id", "lineage_edge.child_id"].sort();
    expect(all.filter((reference) => !purged(reference))).toEqual(Object.keys(retainedByPurge));
    const gone = (await tablesAround()).filter(({ name, cascading }) =>
      !cascading && !new RegExp(`(DELETE FROM|UPDATE) ${name}\\b`).test(statements.join("\n"))
    );
    expect(gone.map(({ name }) => name)).toEqual(["task_run"]);
  });

  it("is told by entities_referenced, or keeps no entity", async () => {
    const body = await definition("entities_referenced");
    const isMentioned = (reference: string) => {
      const [table, column] = reference.split(".");
      return new RegExp(`SELECT ${column} FROM ${table} WHERE ${column} = ANY`).test(body);
    };
    const silent = (await references()).filter((reference) => !isMentioned(reference));
    expect(silent).toEqual(Object.keys(keepsNothing));
    expect(body).toMatch(/SELECT parent_id FROM lineage_edges_touching/);
    expect(body).toMatch(/SELECT child_id FROM lineage_edges_touching/);
    expect(body).toMatch(/SELECT dataset_id FROM column_edge_datasets/);
    for (
      const reference of Object.keys(retainedByPurge).filter((r) => !r.startsWith("lineage_edge"))
    ) {
      expect([reference, isMentioned(reference)]).toEqual([reference, true]);
    }
  });
});

it("every table about entities is searched by search_texts, or says why not", async () => {
  const body = await definition("search_texts");
  const unsearched = (await tablesAround()).map(({ name }) => name)
    .filter((name) => !new RegExp(`(FROM|JOIN) ${name}\\b`).test(body));
  expect(unsearched).toEqual(Object.keys(notSearched));
});
