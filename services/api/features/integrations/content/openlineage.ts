import {
  argument,
  type Here,
  type IntegrationSpec,
  platformUrl,
  post,
  snippet,
} from "#services/api/features/integrations/integration.ts";
import type { Block } from "#services/api/features/integrations/schemas.ts";

const token = argument("collector_token", "Token of a collector or data source");

/** A block with one snippet, of lines that say the address and, where ingestion requires one, the token. */
const block = (here: Here, title: string, content: string, lines: string[]): Block => ({
  title,
  content,
  code_snippets: [snippet(lines.join("\n") + "\n", platformUrl(here), token)],
});

const environment = ({ ingestionToken }: Here) => [
  "export OPENLINEAGE_URL='{{platform_url}}'",
  ...ingestionToken ? ["export OPENLINEAGE_API_KEY='{{collector_token}}'"] : [],
];

const event = `{
    "eventType": "COMPLETE", "eventTime": "2026-03-01T10:00:00Z", "producer": "by-hand",
    "run": {"runId": "0195533a-3d00-7000-8000-000000000000"},
    "job": {"namespace": "{{job_namespace}}", "name": "{{job_name}}"},
    "outputs": [{"namespace": "{{job_namespace}}", "name": "{{table_name}}"}]
  }`;

/** Whatever speaks OpenLineage. */
export const openLineage: IntegrationSpec = {
  id: "openlineage",
  name: "OpenLineage",
  description: "Point any OpenLineage client at this catalogue: runs, lineage and columns",
  offered: (here) => here.openLineage,
  arrived: "EXISTS (SELECT FROM ol_job) OR EXISTS (SELECT FROM ol_dataset)",
  blocks: (here) => [
    block(
      here,
      "Set the variables",
      "Clients in Python and Java read them; nothing else changes.",
      environment(here),
    ),
    {
      title: "Try it",
      content:
        "One event by hand: a job that writes a table. It is in the catalogue seconds later; " +
        "what was left out of events is listed under **OpenLineage**.",
      code_snippets: [
        snippet(
          post("/api/v1/lineage", here.ingestionToken ? "collector_token" : undefined, event),
          platformUrl(here),
          token,
          argument("job_namespace", "Namespace of a job"),
          argument("job_name", "Name of a job"),
          argument("table_name", "Name of a table"),
        ),
      ],
    },
  ],
};

/** Jobs of an engine name it in the facet `jobType`; of very many jobs the first ten thousand are looked at. */
const arrivedFrom = (integration: string) =>
  `EXISTS (SELECT FROM (
    SELECT v.value FROM metadata_field f JOIN metadata_value v ON v.field_id = f.id
     WHERE f.name = 'integration' AND f.type = 'STRING' AND f.origin = 'EXTERNAL' LIMIT 10000) v
    WHERE upper(v.value) = '${integration}')`;

const transport = ({ ingestionToken }: Here) =>
  JSON.stringify({
    type: "http",
    url: "{{platform_url}}",
    endpoint: "api/v1/lineage",
    ...ingestionToken && { auth: { type: "api_key", apiKey: "{{collector_token}}" } },
  });

/** Airflow, by its provider of OpenLineage. */
export const airflow: IntegrationSpec = {
  id: "airflow",
  name: "Airflow",
  description: "DAGs, tasks, their runs, and the tables that they read and write",
  offered: (here) => here.openLineage,
  arrived: arrivedFrom("AIRFLOW"),
  blocks: (here) => [
    block(
      here,
      "Install the provider and say where it sends",
      "In the environment of the scheduler and the workers. DAGs stay as they are. Without events, a connection of the " +
        "kind Airflow reads DAGs and runs on a schedule.",
      [
        "pip install apache-airflow-providers-openlineage",
        `export AIRFLOW__OPENLINEAGE__TRANSPORT='${transport(here)}'`,
        "export AIRFLOW__OPENLINEAGE__NAMESPACE='airflow'",
      ],
    ),
  ],
};

/** dbt, by the wrapper that emits OpenLineage. */
export const dbt: IntegrationSpec = {
  id: "dbt",
  name: "dbt",
  description: "Models, their columns and lineage, tests and runs",
  offered: (here) => here.openLineage,
  arrived: arrivedFrom("DBT"),
  blocks: (here) => [
    block(
      here,
      "Run dbt by its wrapper",
      "`dbt-ol` takes the arguments of `dbt` and sends what its run says. A namespace keeps several projects apart.",
      [
        "pip install openlineage-dbt",
        ...environment(here),
        "export OPENLINEAGE_NAMESPACE='dbt'",
        "dbt-ol run",
      ],
    ),
  ],
};

/** Spark, by the listener of OpenLineage. */
export const spark: IntegrationSpec = {
  id: "spark",
  name: "Spark",
  description:
    "Applications, their actions, and the tables, files and columns that they read and write",
  offered: (here) => here.openLineage,
  arrived: arrivedFrom("SPARK"),
  blocks: (here) => [
    block(
      here,
      "Add the listener to an application",
      "For every application, put the same properties into `spark-defaults.conf`. `2.12` is the version of Scala.",
      [
        "spark-submit \\",
        "  --packages io.openlineage:openlineage-spark_2.12:1.53.0 \\",
        "  --conf spark.extraListeners=io.openlineage.spark.agent.OpenLineageSparkListener \\",
        "  --conf spark.openlineage.transport.type=http \\",
        "  --conf 'spark.openlineage.transport.url={{platform_url}}' \\",
        ...here.ingestionToken
          ? [
            "  --conf spark.openlineage.transport.auth.type=api_key \\",
            "  --conf 'spark.openlineage.transport.auth.apiKey={{collector_token}}' \\",
          ]
          : [],
        "  --conf spark.openlineage.namespace=spark \\",
        "  application.py",
      ],
    ),
  ],
};

/** Flink, by its listener for changes of jobs. */
export const flink: IntegrationSpec = {
  id: "flink",
  name: "Flink",
  description: "Streaming and batch jobs, and the topics and tables between which they run",
  offered: (here) => here.openLineage,
  arrived: arrivedFrom("FLINK"),
  blocks: (here) => [
    block(
      here,
      "Add the listener to the configuration",
      "In `config.yaml` of Flink 2, with `openlineage-flink` in `lib/`. A job that streams stays in the lineage as long as it runs.",
      [
        "execution.job-status-changed-listeners: io.openlineage.flink.listener.OpenLineageJobStatusChangedListenerFactory",
        "openlineage.transport.type: http",
        "openlineage.transport.url: '{{platform_url}}'",
        ...here.ingestionToken
          ? [
            "openlineage.transport.auth.type: api_key",
            "openlineage.transport.auth.apiKey: '{{collector_token}}'",
          ]
          : [],
      ],
    ),
  ],
};
