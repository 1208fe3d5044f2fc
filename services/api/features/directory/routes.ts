import { z } from "@hono/zod-openapi";
import { DataSource, Long } from "#contract/catalogue/common.ts";
import { DataEntityTypeList } from "#contract/catalogue/entity-ref.ts";
import { DataEntityList } from "#contract/catalogue/entity.ts";
import {
  Id,
  idParam,
  integerQuery,
  type PageQuery,
  pageQuery,
  pageWindow,
  storableParameter,
} from "#contract/http.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import { foundJson } from "#services/api/list-json.ts";
import { staleDays } from "#services/api/stale.ts";

const DataSourceTypeList = z.object({
  items: z.array(
    z.object({ prefix: z.string(), name: z.string(), entities_count: Long })
      .openapi("DataSourceType"),
  ),
}).openapi("DataSourceTypeList");

const DataSourceDirectoryList = z.object({
  items: z.array(
    z.object({
      id: Id,
      name: z.string(),
      properties: z.record(z.string(), z.string()),
      entities_count: Long,
    }).openapi("DataSourceDirectory"),
  ),
  entities_count: Long,
}).openapi("DataSourceDirectoryList");

const DataSourceEntityList = z.object({ entities: DataEntityList, data_source: DataSource })
  .openapi("DataSourceEntityList");

const common = {
  method: "get" as const,
  tag: "directory",
  access: "signed-in" as const,
};
const params = z.object({ data_source_id: idParam("data_source_id") });

const systemsSpec = operation({
  ...common,
  id: "getDataSourceTypes",
  path: "/api/directory",
  summary: "The systems whose data sources are registered, by the prefix of their CATRNs",
  responses: { 200: { description: "The systems", schema: DataSourceTypeList } },
});

const sourcesSpec = operation({
  ...common,
  id: "getDirectoryDatasourceList",
  path: "/api/directory/datasources",
  summary: "The data sources of a system",
  query: z.object({
    prefix: storableParameter.min(1, { error: "must not be empty" })
      .openapi({ param: { name: "prefix", in: "query", required: true } }),
  }),
  responses: { 200: { description: "The data sources", schema: DataSourceDirectoryList } },
});

const typesSpec = operation({
  ...common,
  id: "getDatasourceEntityTypes",
  path: "/api/directory/datasources/{data_source_id}/types",
  summary: "The types of a data source's entities",
  params,
  responses: { 200: { description: "The types", schema: DataEntityTypeList } },
});

const entitiesSpec = operation({
  ...common,
  id: "getDatasourceEntities",
  path: "/api/directory/datasources/{data_source_id}",
  summary: "The entities of a data source, of one type or of all",
  params,
  query: z.object({ ...pageQuery, type_id: integerQuery("type_id", { min: 1, max: 32_767 }) }),
  responses: { 200: { description: "One page", schema: DataSourceEntityList } },
});

/** The operations to browse from systems to data sources to entities. */
export function directoryRoutes(context: Context): Route[] {
  return [
    serve(systemsSpec, async () => ok(await listSystems(context))),
    serve(sourcesSpec, async ({ query }) => ok(await listSources(context, query.prefix))),
    serve(typesSpec, ({ params }) => listTypes(context, params.data_source_id)),
    serve(entitiesSpec, ({ params, query }) => listEntities(context, params.data_source_id, query)),
  ];
}

type Deps = Pick<Context, "db" | "config">;

/** Every system with a data source, and the number of listed entities in all its sources. */
const systems = statement<{ prefix: string; entities_count: number }>("directory-systems")`
  WITH source AS (SELECT id, catrn_system(catrn) AS system FROM data_source),
  held AS (
    SELECT data_source_id AS id, count(*) AS entities FROM data_entity e
     WHERE NOT e.hollow AND NOT e.excluded_from_search AND is_live(e.status)
       AND data_source_id IS NOT NULL
     GROUP BY data_source_id)
  SELECT system AS prefix, coalesce(sum(entities), 0)::bigint AS entities_count
    FROM source LEFT JOIN held USING (id) GROUP BY system ORDER BY system`;

/** The systems whose data sources are registered, by name (DataSourceTypeList). */
async function listSystems({ db }: Deps) {
  const items = (await db.query(systems)).map(({ prefix, entities_count }) => ({
    prefix,
    name: systemNames.get(prefix) ?? prefix,
    entities_count,
  }));
  return { items: items.sort((a, b) => a.name.localeCompare(b.name, "en")) };
}

interface SourceCount {
  id: number;
  name: string;
  catrn: string;
  entities_count: number;
}

const sources = statement<SourceCount>("directory-sources")`
  SELECT s.id, s.name, s.catrn, (
           SELECT count(*) FROM data_entity e
            WHERE e.data_source_id = s.id AND NOT e.hollow AND NOT e.excluded_from_search
              AND is_live(e.status)) AS entities_count
    FROM data_source s WHERE catrn_system(s.catrn) = $1 ORDER BY s.name, s.id`;

/** The data sources of one system, by name (DataSourceDirectoryList); empty for an unknown system. */
async function listSources({ db }: Deps, system: string) {
  const found = await db.query(sources, [system]);
  const items = found.map(({ catrn, ...source }) => (
    { ...source, properties: sourceProperties(catrn) }
  ));
  return { items, entities_count: items.reduce((sum, item) => sum + item.entities_count, 0) };
}

const types = statement<JsonRow>("directory-types")`
  SELECT (SELECT coalesce(json_agg(json_type(t.type_id) ORDER BY t.type_id), '[]')
            FROM (SELECT DISTINCT e.type_id FROM data_entity e
                   WHERE e.data_source_id = s.id AND NOT e.hollow AND NOT e.excluded_from_search
                     AND is_live(e.status)) t)::text AS json
    FROM data_source s WHERE s.id = $1`;

/** The types of the listed entities of a source; DataEntityTypeList as JSON text. Throws 404. */
async function listTypes({ db }: Deps, id: number): Promise<string> {
  return foundJson(await db.query(types, [id]), "Data source", id);
}

const listed = `
  e.data_source_id = $1 AND NOT e.hollow AND NOT e.excluded_from_search AND is_live(e.status)
  AND ($2::smallint IS NULL OR e.type_id = $2)`;
const entities = statement<JsonRow>("directory-entities")`
  SELECT json_build_object(
           'data_source', json_data_source_with_token(s.id, NULL),
           'entities', text_data_entity_list(
             ARRAY(SELECT e.id FROM data_entity e WHERE ${listed}
                    ORDER BY e.id LIMIT $3 OFFSET $4),
             t.total, $3::bigint + $4 < t.total, $5)::json)::text AS json
    FROM data_source s,
         (SELECT count(*) AS total FROM data_entity e WHERE ${listed}) t
   WHERE s.id = $1`;

/** One page of the listed entities of a source; DataSourceEntityList as JSON text. Throws 404. */
async function listEntities(
  { db, config }: Deps,
  id: number,
  query: PageQuery & { type_id?: number },
): Promise<string> {
  const { limit, offset } = pageWindow(query);
  const values = [id, query.type_id ?? null, limit, offset, staleDays({ config })];
  return foundJson(await db.query(entities, values), "Data source", id);
}

/** Display names of systems whose CATRNs spell them differently; any other keeps the spelling of its CATRNs. */
const systemNames = new Map(Object.entries({
  airbyte: "Airbyte",
  airflow: "Airflow",
  athena: "Athena",
  bigquery_storage: "BigQuery",
  cassandra: "Cassandra",
  clickhouse: "ClickHouse",
  databricks: "Databricks",
  dbt: "dbt",
  dynamodb: "DynamoDB",
  elasticsearch: "Elasticsearch",
  feast: "Feast",
  glue: "Glue",
  great_expectations: "Great Expectations",
  hive: "Hive",
  iceberg: "Iceberg",
  kafka: "Kafka",
  kubeflow: "Kubeflow",
  metabase: "Metabase",
  microservice: "Microservices",
  mlflow: "MLflow",
  mongodb: "MongoDB",
  mssql: "SQL Server",
  mysql: "MySQL",
  neo4j: "Neo4j",
  oracle: "Oracle",
  postgresql: "PostgreSQL",
  prefect: "Prefect",
  presto: "Presto",
  quicksight: "QuickSight",
  redash: "Redash",
  redshift: "Redshift",
  s3: "S3",
  sagemaker: "SageMaker",
  snowflake: "Snowflake",
  spark: "Spark",
  sqlite: "SQLite",
  superset: "Superset",
  tableau: "Tableau",
  trino: "Trino",
  vertica: "Vertica",
}));

/**
 * The properties in the CATRN of a source, as key-value pairs after the system:
 * `//postgresql/host/db1/databases/shop` gives host and databases. A trailing key without a value is
 * dropped; of a repeated key the last value wins.
 */
function sourceProperties(catrn: string): Record<string, string> {
  const parts = catrn.replace(/^\/+/, "").split("/").slice(1);
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    if (parts[i] !== "") pairs.push([parts[i]!, parts[i + 1]!]);
  }
  return Object.fromEntries(pairs);
}
