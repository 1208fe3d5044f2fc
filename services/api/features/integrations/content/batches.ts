import { ingestionBatches } from "#contract/topics.ts";
import {
  argument,
  type Here,
  type IntegrationSpec,
  known,
  platformUrl,
  post,
  snippet,
} from "#services/api/features/integrations/integration.ts";

const source = argument("data_source_catrn", "CATRN of the data source");
const table = argument("table_name", "Name of a table");

const registration =
  `{"items": [{"catrn": "{{data_source_catrn}}", "name": "{{data_source_name}}"}]}`;

const batch = `{
    "data_source_catrn": "{{data_source_catrn}}",
    "items": [{
      "catrn": "{{data_source_catrn}}/tables/{{table_name}}",
      "name": "{{table_name}}",
      "type": "TABLE",
      "dataset": {
        "field_list": [{
          "catrn": "{{data_source_catrn}}/tables/{{table_name}}/columns/id",
          "name": "id",
          "type": {"type": "TYPE_INTEGER", "logical_type": "bigint", "is_nullable": false}
        }]
      }
    }]
  }`;

const token = ({ ingestionToken }: Here, parameter: string) =>
  ingestionToken ? parameter : undefined;

/** Batches of metadata by plain HTTP. */
export const http: IntegrationSpec = {
  id: "http",
  name: "HTTP",
  description: "Post metadata from any program or script",
  arrived: `EXISTS (SELECT FROM data_source s
    WHERE s.collector_id IS NULL AND s.catrn <> $1
      AND EXISTS (SELECT FROM data_entity e WHERE e.data_source_id = s.id))`,
  blocks: (here) => [
    {
      title: "Register a data source",
      content:
        "Everything in the catalogue comes from a data source, which has a name of its own: its CATRN, such as " +
        "`//postgresql/host/db.example/databases/shop`. Registering it again does no harm." +
        (here.ingestionToken ? " This server requires the token of a collector." : ""),
      code_snippets: [
        snippet(
          post("/ingestion/datasources", token(here, "collector_token"), registration),
          platformUrl(here),
          argument("collector_token", "Token of a collector"),
          source,
          argument("data_source_name", "Name of the data source"),
        ),
      ],
    },
    {
      title: "Post what it holds",
      content:
        "A batch replaces what was known of the entities in it. The header `X-Ingestion-State: applied` says that " +
        "answers see it; a wrong item is refused by itself, and the answer names it.",
      code_snippets: [
        snippet(
          post("/ingestion/entities", token(here, "token"), batch),
          platformUrl(here),
          argument("token", "Token of the data source, or of its collector"),
          source,
          table,
        ),
      ],
    },
  ],
};

const produce = `kafka-console-producer.sh --bootstrap-server '{{brokers}}' --topic '{{topic}}' \\
  --property parse.key=true --property 'key.separator=|' < batches.txt
`;

const record = `{{data_source_catrn}}|{"data_source_catrn": "{{data_source_catrn}}", "items": [` +
  `{"catrn": "{{data_source_catrn}}/tables/{{table_name}}", "name": "{{table_name}}", "type": "TABLE", ` +
  `"dataset": {"field_list": []}}]}
`;

/** Batches that collectors write to the event log themselves. */
export const kafka: IntegrationSpec = {
  id: "kafka",
  name: "Kafka",
  description: "Write metadata to the event log, without a request for each batch",
  offered: (here) => here.kafka !== undefined,
  // Such a batch has the name of its place in the log: topic, partition and offset.
  arrived: `EXISTS (SELECT FROM applied_batch
    WHERE batch >= '${ingestionBatches}/' AND batch < '${ingestionBatches}0')`,
  blocks: (here) => [{
    title: "Write a batch",
    content:
      "The key is the CATRN of the data source, which must be registered; the value is what `POST /ingestion/entities` " +
      "takes. The file has a record a line. What is wrong with a record is in the dead letters " +
      "(`npm run dead-letters -- list`). Producers need no token: the brokers authorize them.",
    code_snippets: [
      snippet(record, source, table),
      snippet(
        produce,
        known("brokers", "Brokers of the event log", here.kafka?.brokers),
        known("topic", "Topic of batches", here.kafka?.topic),
      ),
    ],
  }],
};
