import type { ReferenceList } from "#contract/catalogue/entity.ts";
import {
  type EntityClass,
  entityClasses,
  entityClassNames,
  entityTypeNames,
  entityTypes,
} from "#contract/entities.ts";
import { type PageQuery, pageWindow } from "#contract/http.ts";
import { messageOf, requireFound } from "#kit/errors.ts";
import type { Counter, Gauge } from "#kit/metrics.ts";
import { type JsonRow, type Statement, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { staleDays } from "#services/api/stale.ts";
import { gapCondition } from "#services/api/features/search/service.ts";
import { foundJson, listJson } from "#services/api/list-json.ts";
export {
  listEntities,
  listPopular,
  readBriefs,
} from "#services/api/features/dataentities/reading.ts";

const details = statement<JsonRow>("entity-details")`
  SELECT json_data_entity_details(e, $2)::text AS json
    FROM data_entity e WHERE e.id = $1 AND NOT e.hollow`;

/**
 * DataEntityDetails as JSON text; deleted entities stay readable. Counts a view if a view counter is given.
 * Throws 404 for an unknown or hollow entity.
 */
export async function describeEntity(context: Context, views: ViewCounter | null, id: number) {
  const rows = await context.db.reads.query(details, [id, staleDays(context)]);
  const { json } = requireFound(rows, "Data entity", id);
  views?.record(id);
  return json;
}

/**
 * One page of a list of references without deleted ones; DataEntityRefPage as JSON text. Empty when
 * the entity's classes lack the list. Throws 404 for an unknown or hollow entity.
 */
export async function listReferences(
  context: Context,
  id: number,
  list: ReferenceList,
  page: PageQuery,
): Promise<string> {
  const { limit, offset } = pageWindow(page);
  const rows = await context.db.query(pages[list], [id, limit, offset, staleDays(context)]);
  return foundJson(rows, "Data entity", id);
}

/** How many entities there are, by class and type; DataEntityUsageInfo as JSON text. */
export async function countUsage({ db }: Context): Promise<string> {
  return (await db.query(usage))[0]!.json;
}

/** How many datasets there are, and how many lack an owner, a description or tests (CatalogueCoverage). */
export async function countCoverage({ db }: Context): Promise<CoverageRow> {
  return (await db.reads.query(coverage))[0]!;
}

const named = (name: keyof typeof entityTypes) => ({ id: entityTypes[name].id, name });
const typesOf = (name: EntityClass) =>
  entityTypeNames.filter((type) => (entityTypes[type].classes as EntityClass[]).includes(name));

/** All classes with their types, and all types (DataEntityClassAndTypeDictionary). */
export const classDictionary = {
  entity_classes: entityClassNames.map((name) => ({
    id: entityClasses[name],
    name,
    types: typesOf(name).map(named),
  })),
  types: entityTypeNames.map(named),
};

/** Entities whose views may be pending; while that many are, views of others are not counted. */
const maxWaiting = 10_000;

/**
 * Counts views without delaying readers: one statement runs at a time, and the next one writes the
 * views that arrive meanwhile. Pending views are lost when the process dies or the metadata store
 * rejects them, which is acceptable: the count only orders a list.
 */
export class ViewCounter {
  readonly #waitingGauge: Gauge;
  readonly #lost: Counter;
  #waiting = new Map<number, number>();
  #writing: Promise<void> | undefined;

  constructor(
    private readonly context: Pick<Context, "db" | "log" | "metrics">,
    private readonly limit = maxWaiting,
  ) {
    const { metrics } = context;
    this.#waitingGauge = metrics.gauge("tributary_views_waiting", "Entities with uncounted views");
    this.#lost = metrics.counter("tributary_views_lost_total", "Views that were not counted");
  }

  record(id: number): void {
    const known = this.#waiting.get(id);
    if (known === undefined && this.#waiting.size >= this.limit) return this.#lost.inc();
    this.#waiting.set(id, (known ?? 0) + 1);
    this.#waitingGauge.set({}, this.#waiting.size);
    this.#writing ??= this.#write();
  }

  /** Resolves when every view recorded so far has been written or discarded. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#waiting.size > 0) {
      const views = this.#waiting;
      this.#waiting = new Map();
      this.#waitingGauge.set({}, 0);
      try {
        await this.context.db.query(addViews, [[...views.keys()], [...views.values()]]);
      } catch (error) {
        this.#lost.inc({}, [...views.values()].reduce((sum, n) => sum + n, 0));
        this.context.log.warn("views were not counted", {
          entities: views.size,
          error: messageOf(error),
        });
      }
    }
    // No `await` after the last check, so that a later view starts the next statement.
    this.#writing = undefined;
  }
}

// Updates in id order, to prevent deadlocks between view counters and the ingestion.
const addViews = statement("entity-views")`
  UPDATE data_entity e SET view_count = e.view_count + v.views
    FROM (SELECT d.id, n.views FROM data_entity d
            JOIN unnest($1::bigint[], $2::bigint[]) AS n (id, views) ON n.id = d.id
           ORDER BY d.id FOR NO KEY UPDATE OF d) v
   WHERE e.id = v.id`;

// An entity counts as filled when a user added something to it: a name, a description, a tag, an
// owner, a metadata value. Manually created groups always count. One scan counts everything.
const usage = statement<JsonRow>("entity-usage")`
  WITH filled AS (
    SELECT entity_id FROM entity_tag WHERE origin = 'INTERNAL'
    UNION SELECT entity_id FROM ownership WHERE NOT external
    UNION SELECT v.entity_id FROM metadata_value v JOIN metadata_field f ON f.id = v.field_id
           WHERE f.origin = 'INTERNAL'
  ), counted AS (
    SELECT e.class_ids, e.type_id, count(*) AS total,
           count(*) FILTER (WHERE e.internal_name IS NULL AND e.internal_description IS NULL
             AND NOT e.manually_created AND f.entity_id IS NULL) AS unfilled
      FROM data_entity e LEFT JOIN filled f ON f.entity_id = e.id
     WHERE NOT e.hollow AND NOT e.excluded_from_search AND is_live(e.status)
     GROUP BY e.class_ids, e.type_id
  ), by_class AS (
    SELECT class_id, sum(total)::bigint AS total
      FROM counted, unnest(class_ids) AS class_id GROUP BY class_id
  ), by_type AS (
    SELECT class_id, type_id, sum(total)::bigint AS total FROM (
      SELECT class_id, type_id, total FROM counted, unnest(class_ids) AS class_id
      UNION ALL SELECT class_id, t.id, 0 FROM entity_type t, unnest(t.class_ids) AS class_id) each
     GROUP BY class_id, type_id
  )
  SELECT json_build_object(
    'total_count', (SELECT coalesce(sum(total), 0) FROM counted),
    'unfilled_count', (SELECT coalesce(sum(unfilled), 0) FROM counted),
    'data_entity_classes_info', (SELECT json_agg(json_build_object(
        'entity_class', json_class(c.id), 'total_count', coalesce(n.total, 0),
        'data_entity_types_info', (SELECT json_agg(json_build_object(
            'entity_type', json_type(t.type_id), 'total_count', t.total) ORDER BY t.type_id)
          FROM by_type t WHERE t.class_id = c.id)) ORDER BY c.id)
      FROM entity_class c LEFT JOIN by_class n ON n.class_id = c.id))::text AS json`;

interface CoverageRow {
  datasets: number;
  without_owner: number;
  without_description: number;
  without_tests: number;
}

// The same datasets as a search without words finds, by the same conditions, so that a link to it shows as many.
const coverage = statement<CoverageRow>("entity-coverage")`
  SELECT count(*) AS datasets,
         count(*) FILTER (WHERE ${gapCondition("NO_OWNER")}) AS without_owner,
         count(*) FILTER (WHERE ${gapCondition("NO_DESCRIPTION")}) AS without_description,
         count(*) FILTER (WHERE ${gapCondition("NO_TESTS")}) AS without_tests
    FROM data_entity e
   WHERE NOT e.hollow AND NOT e.excluded_from_search AND is_live(e.status)
     AND e.class_ids @> ARRAY[${entityClasses.DATA_SET}]::smallint[]`;

const namedEntities = (path: string) =>
  `SELECT id, place FROM named_entities(e.attributes #> '{${path}}')`;

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
  source_list: page("source_list", namedEntities("data_transformer,inputs")),
  target_list: page("target_list", namedEntities("data_transformer,outputs")),
  input_list: page("input_list", namedEntities("data_consumer,inputs")),
  output_list: page("output_list", namedEntities("data_input,outputs")),
  datasets_list: page("datasets_list", "SELECT id, id AS place FROM test_datasets(e.id)"),
  entities: page("entities", "SELECT id, id AS place FROM group_members(e.id)"),
};
