import { ingestionBatches } from "#contract/topics.ts";
import {
  argument,
  type IntegrationSpec,
  known,
  snippet,
} from "#services/api/features/integrations/integration.ts";

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
      snippet(
        record,
        argument("data_source_catrn", "CATRN of the data source"),
        argument("table_name", "Name of a table"),
      ),
      snippet(
        produce,
        known("brokers", "Brokers of the event log", here.kafka?.brokers),
        known("topic", "Topic of batches", here.kafka?.topic),
      ),
    ],
  }],
};
