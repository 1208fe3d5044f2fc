import { unavailable } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import { maxSchema, registeredSchema } from "#platform/datahub/schemas.ts";
import { objectOf, textOf } from "#platform/datahub/values.ts";
import { AvroError, type AvroReader, avroReader } from "./avro.ts";

/** Milliseconds that a registry may take. */
const timeoutMs = 10_000;
/** Maximum number of schemas whose readers are cached. */
const maxReaders = 100;

/** Readers of records, by the schemas that they name; of the registry that is configured, else of this server. */
export class SchemaRegistry {
  readonly #readers = new Map<number, AvroReader>();

  constructor(private readonly deps: Pick<Context, "config" | "db">) {}

  /** The reader of a schema. Throws an `AvroError` for an unknown one, 503 when the registry does not answer. */
  async readerOf(id: number): Promise<AvroReader> {
    const known = this.#readers.get(id);
    if (known) return known;
    const text = await this.#textOf(id);
    if (text === undefined) throw new AvroError("the schema registry does not know its schema");
    if (this.#readers.size >= maxReaders) this.#readers.clear();
    const reader = avroReader(text);
    this.#readers.set(id, reader);
    return reader;
  }

  async #textOf(id: number): Promise<string | undefined> {
    const { url, username, password } = this.deps.config.datahub["schema-registry"];
    if (!url) return await registeredSchema(this.deps.db, id);
    const base = url.endsWith("/") ? url : `${url}/`;
    const response = await fetch(new URL(`schemas/ids/${id}`, base), {
      headers: username ? { authorization: `Basic ${btoa(`${username}:${password ?? ""}`)}` } : {},
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      throw unavailable("The schema registry of DataHub does not answer", 10, error);
    });
    if (response.status === 404) return undefined;
    const body = await response.text();
    if (!response.ok || body.length > maxSchema) {
      throw unavailable(`The schema registry of DataHub answers ${response.status}`, 10);
    }
    return textOf(objectOf(JSON.parse(body))?.schema);
  }
}
