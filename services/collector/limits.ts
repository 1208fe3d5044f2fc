import { maxProblems } from "#contract/connections/connection.ts";
import { maxChunkItems } from "#contract/ingestion/split.ts";
import type { Limit } from "#kit/limits.ts";
import { maxAttempts } from "./worker.ts";
import { maxEntries as maxAirflowEntries } from "./connectors/airflow/api.ts";
import { maxInstances } from "./connectors/airflow/read.ts";
import { maxHistory } from "./connectors/iceberg/items.ts";
import { maxPages } from "./connectors/iceberg/api.ts";
import { maxLevels, maxMembers } from "./connectors/iceberg/read.ts";
import { maxDepth } from "./connectors/files/stores.ts";
import { maxFooter } from "#platform/files/parquet.ts";
import { maxDatasets, maxFiles } from "./connectors/files/read.ts";
import { maxRows, maxSample, maxUnpacked } from "#platform/files/text.ts";
import { maxArtifact, maxEntry } from "./connectors/dbt/artifacts.ts";
import { maxSql as maxMysqlSql } from "./connectors/mysql/read.ts";
import { pageSize as mysqlPage } from "./connectors/mysql/queries.ts";
import { maxSql as maxDbtSql } from "./connectors/dbt/items.ts";
import { maxSchema } from "./connectors/kafka/registry.ts";
import { maxSchemaDepth, maxSchemaFields } from "#platform/items.ts";
import { pageSize as topicsTogether } from "./connectors/kafka/read.ts";
import {
  maxJobs,
  maxRoles,
  maxStatements,
  pageCharacters,
  pageSize as statementsTogether,
} from "./connectors/postgresql/history/read.ts";
import { maxStatement } from "./connectors/postgresql/history/statement.ts";
import { maxSql } from "./connectors/postgresql/items.ts";
import { maxTree, pageSize } from "./connectors/postgresql/read.ts";
import { maxAnswer } from "./http.ts";

const row = (bounds: string, limit: Limit["limit"], beyond: string): Limit => (
  { entrance: "connections", bounds, limit, beyond }
);

/** What a run of a connection may cost. */
export const collectorLimits: Limit[] = [
  row("runs at a time in one process", { key: "connections.concurrency" }, "waits"),
  row("assets that wait to be published", maxChunkItems, "the next batch"),
  row("problems listed by a run", maxProblems, "counted only"),
  row("processes that end during a run", maxAttempts, "the run fails"),
  row("tables and views of PostgreSQL in memory", pageSize, "the next page"),
  row("bytes of a parsed view of PostgreSQL", maxTree, "no column lineage of it"),
  row("characters of the SQL of a view", maxSql, "cut"),
  row("statements of PostgreSQL", maxStatements, "not counted"),
  row("statements of PostgreSQL in memory", statementsTogether, "the next page"),
  row("characters of statements of PostgreSQL in memory", pageCharacters, "the next page"),
  row("characters of a statement of PostgreSQL", maxStatement, "no lineage of it"),
  row("statements of PostgreSQL that become jobs", maxJobs, "left out"),
  row("roles of PostgreSQL whose names are stored", maxRoles, "without name"),
  row("tables and views of MySQL in memory, besides their names", mysqlPage, "the next page"),
  row("characters of the SQL of a view of MySQL", maxMysqlSql, "cut"),
  row("characters of the SQL of a model of dbt", maxDbtSql, "cut"),
  row("bytes of an artifact of dbt", maxArtifact, "the run fails"),
  row("characters of one entry of an artifact of dbt", maxEntry, "the run fails"),
  row("topics of Kafka whose configuration is read at once", topicsTogether, "the next page"),
  row("characters of a schema of a topic", maxSchema, "its fields are not read"),
  row("fields of a schema of a topic", maxSchemaFields, "left out"),
  row("nested levels of a schema of a topic", maxSchemaDepth, "left out"),
  row("entries of a list of Airflow", maxAirflowEntries, "the run fails"),
  row("task instances of a run of Airflow", maxInstances, "left out"),
  row("pages of a list of an Iceberg catalog", maxPages, "the run fails"),
  row("levels of a namespace of Iceberg", maxLevels, "left out"),
  row("members of a namespace of Iceberg", maxMembers, "left out of the group"),
  row("changes of the schema of an Iceberg table", maxHistory, "the newest are listed"),
  row("files below the paths of a connection", maxFiles, "nothing is removed"),
  row("datasets made of files", maxDatasets, "nothing is removed"),
  row("levels of folders below a path", maxDepth, "left out"),
  row("bytes of the footer of a Parquet file", maxFooter, "its fields are not read"),
  row("bytes of a text file", maxSample, "not read"),
  row("bytes of such a text file after decompression", maxUnpacked, "not read"),
  row("rows of a text file used to infer types", maxRows, "not read"),
  row("bytes of an HTTP response", maxAnswer, "the run fails"),
];
