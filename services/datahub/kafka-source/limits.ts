import { type Limit, limit } from "#kit/limits.ts";
import { maxSchema, maxSchemas } from "#platform/datahub/schemas.ts";
import { maxDepth, maxElements } from "./avro.ts";
import { maxRecordBytes } from "./records.ts";

const topic = "topic of datahub.kafka";
const listed = "listed as rejected, and left out";

/** Limits on records of the Kafka topic of `datahub.kafka`. */
export const datahubKafkaLimits: Limit[] = [
  limit(topic, "record, bytes", maxRecordBytes, listed),
  limit(topic, "nesting of a value and of its schema", maxDepth, listed),
  limit(topic, "elements of one list of a record", maxElements, listed),
  limit("POST /integrations/datahub/schema-registry/*", "schema, UTF-16 units", maxSchema, "422"),
  limit("POST /integrations/datahub/schema-registry/*", "schemas", maxSchemas, "422"),
];
