import { z } from "zod";
import type { KafkaSettings } from "#contract/connections/kafka.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import type { Session } from "../../connector.ts";
import { answerOf, basicAuth, SourceHttp, unlessStatus } from "../../http.ts";
import { avroFields } from "./schemas/avro.ts";
import type { SchemaField } from "#platform/items.ts";
import { jsonFields } from "./schemas/json.ts";
import { protobufFields } from "./schemas/protobuf.ts";

/** Longest schema that is parsed, and that is shown where it cannot be, in characters. */
export const maxSchema = 2_000_000;
const maxShown = 10_000;

const Subjects = z.array(z.string());
const Version = z.object({
  version: z.number(),
  id: z.number(),
  schemaType: z.string().nullish(),
  schema: z.string(),
});

const parsers = new Map<string, (text: string) => SchemaField[]>([
  ["AVRO", avroFields],
  ["JSON", jsonFields],
  ["PROTOBUF", protobufFields],
]);

/** The newest schema of a subject. */
export interface TopicSchema {
  subject: string;
  type: string;
  version: number;
  fields: SchemaField[];
  /** The schema itself, where its fields are not understood. */
  text: string | null;
}

/** A schema registry with the interface of Confluent's, as Apicurio, Karapace and Redpanda have it too. */
export class SchemaRegistry {
  readonly #http: SourceHttp;

  constructor(session: Session<KafkaSettings>, url: string) {
    const { registry_user, ca } = session.settings;
    const authorization = basicAuth(registry_user, session.secrets.get("registry_password"));
    this.#http = new SourceHttp(session, { base: url, authorization, ca });
  }

  /** Names of all subjects. Throws a `SourceError`. */
  async subjects(): Promise<Set<string>> {
    const answer = await this.#http.json("subjects");
    return new Set(answerOf("a schema registry", Subjects, answer, "subjects"));
  }

  /** The newest schema of a subject; null when it is deleted meanwhile. Throws a `SourceError`. */
  async latest(subject: string): Promise<TopicSchema | null> {
    const path = `subjects/${encodeURIComponent(subject)}/versions/latest`;
    const answer = await unlessStatus(this.#http.json(path));
    if (answer === null) return null;
    const parsed = Version.safeParse(answer);
    if (!parsed.success) {
      throw new SourceError(subject, "its schema is not readable", "See the log of the registry");
    }
    const { version, schemaType, schema } = parsed.data;
    const type = schemaType ?? "AVRO";
    const fields = parsedFields(type, schema);
    const text = fields === null ? schema.slice(0, maxShown) : null;
    return { subject, type, version, fields: fields ?? [], text };
  }

  close(): Promise<void> {
    return this.#http.close();
  }
}

/** Null for a schema that is not understood. */
function parsedFields(type: string, schema: string): SchemaField[] | null {
  const parse = parsers.get(type);
  if (!parse || schema.length > maxSchema) return null;
  try {
    return parse(schema);
  } catch {
    return null;
  }
}
