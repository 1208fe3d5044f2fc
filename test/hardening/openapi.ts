import { readFileSync } from "node:fs";

/** A schema of OpenAPI 3.1, as far as documents of this service use it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  minimum?: number;
  minLength?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: Schema;
}

/** One operation of a document. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** Of its JSON body. */
  body: Schema | null;
  /** Whether it takes CSV. */
  csv: boolean;
  /** Whether it answers with events, for as long as the client waits. */
  events: boolean;
  statuses: number[];
}

interface Document {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components?: { schemas?: Record<string, Schema> };
}

interface OpenApiOperation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

/** What the service says that it offers, and what an input of it looks like. */
export class Offer {
  private constructor(
    readonly operations: Operation[],
    private readonly schemas: Record<string, Schema>,
  ) {}

  /** Reads both generated documents. */
  static read(): Offer {
    const documents = ["platform", "ingestion"].map((name) => {
      const file = new URL(`../../docs/openapi/${name}.json`, import.meta.url);
      return JSON.parse(readFileSync(file, "utf8")) as Document;
    });
    const schemas = Object.assign({}, ...documents.map((d) => d.components?.schemas ?? {}));
    return new Offer(documents.flatMap(operationsOf), schemas);
  }

  operation(id: string): Operation {
    const found = this.operations.find((operation) => operation.id === id);
    if (!found) throw new Error(`there is no operation ${id}`);
    return found;
  }

  /** What a schema stands for, references and alternatives followed to the first that is not null. */
  resolved(schema: Schema): Schema {
    if (schema.$ref) return this.resolved(this.schemas[schema.$ref.split("/").at(-1)!] ?? {});
    const choices = schema.oneOf ?? schema.anyOf;
    if (!choices) return schema;
    const all = choices.map((choice) => this.resolved(choice));
    return all.find((choice) => choice.type !== "null") ?? all[0]!;
  }

  /** An input that satisfies the schema: with what is required alone, or whole. */
  example(schema: Schema, whole = false): unknown {
    const known = this.resolved(schema);
    if (known.enum) return known.enum[0];
    switch (typeOf(known)) {
      case "object":
        return Object.fromEntries(
          Object.entries(known.properties ?? {})
            .filter(([name]) => whole || known.required?.includes(name))
            .map(([name, child]) => [name, this.example(child, whole)]),
        );
      case "array":
        return whole && known.items ? [this.example(known.items, whole)] : [];
      case "integer":
      case "number":
        return known.minimum ?? 1;
      case "boolean":
        return true;
      case "null":
        return null;
      default:
        return textOf(known);
    }
  }
}

function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      id: described.operationId,
      method: method.toUpperCase(),
      path,
      parameters: described.parameters ?? [],
      body: described.requestBody?.content["application/json"]?.schema ?? null,
      events: described.responses["200"]?.content?.["text/event-stream"] !== undefined,
      csv: described.requestBody?.content["text/csv"] !== undefined,
      statuses: Object.keys(described.responses).map(Number),
    }))
  );
}

/** The type, of several the first that is not null; an object where none is told. */
export function typeOf(schema: Schema): string {
  const given = schema.type ?? (schema.properties ? "object" : "string");
  return Array.isArray(given) ? given.find((type) => type !== "null") ?? "null" : given;
}

function textOf({ format, minLength = 1 }: Schema): string {
  if (format === "date-time") return "2026-01-31T12:00:00Z";
  if (format === "uuid") return "0190a5b0-0000-7000-8000-000000000000";
  if (format === "uri") return "http://example.com/";
  return "x".repeat(Math.max(1, minLength));
}
