import { isObject } from "#kit/own.ts";
import { maxSchemaDepth, type SchemaField } from "#platform/items.ts";

type Json = Record<string, unknown>;
type FieldType = SchemaField["type"];

const primitives = new Map<string, FieldType>([
  ["boolean", "TYPE_BOOLEAN"],
  ["int", "TYPE_INTEGER"],
  ["long", "TYPE_INTEGER"],
  ["float", "TYPE_NUMBER"],
  ["double", "TYPE_NUMBER"],
  ["bytes", "TYPE_BINARY"],
  ["fixed", "TYPE_BINARY"],
  ["string", "TYPE_STRING"],
  ["enum", "TYPE_STRING"],
  ["array", "TYPE_LIST"],
  ["map", "TYPE_MAP"],
  ["record", "TYPE_STRUCT"],
]);

const logicals: [RegExp, FieldType][] = [
  [/^(date$|timestamp|local-timestamp)/, "TYPE_DATETIME"],
  [/^time-/, "TYPE_TIME"],
  [/^decimal$/, "TYPE_NUMBER"],
  [/^duration$/, "TYPE_DURATION"],
  [/^uuid$/, "TYPE_STRING"],
];

const textOf = (value: unknown) => typeof value === "string" ? value : undefined;

/** The fields of a schema of Avro; a schema that is not a record is one field `value`. Throws for a text that is not JSON. */
export function avroFields(text: string): SchemaField[] {
  const reader = new AvroReader();
  const root = reader.field("value", JSON.parse(text), {}, 0);
  return root.type === "TYPE_STRUCT" ? root.children : [root];
}

class AvroReader {
  /** Named types by full and by short name. */
  readonly #named = new Map<string, Json>();
  /** Names of the records around: a recursive one ends there. */
  readonly #open = new Set<Json>();

  field(name: string, schema: unknown, more: Json, depth: number): SchemaField {
    const { plain, nullable, others } = this.#chosen(schema);
    const type = others ? "TYPE_UNION" : this.#typeOf(plain);
    const values = isObject(plain) && Array.isArray(plain.symbols) ? plain.symbols : undefined;
    const description = textOf(more.doc) ?? (isObject(plain) ? textOf(plain.doc) : undefined);
    const standard = more.default === undefined ? undefined : JSON.stringify(more.default);
    return {
      name,
      type,
      logical: this.#words(others ?? plain),
      nullable,
      ...(description ? { description } : {}),
      ...(standard === undefined ? {} : { standard }),
      ...(values ? { values: values.map(String) } : {}),
      children: this.#children(plain, depth),
    };
  }

  /** The type that is not null of a union; all of them where there are several. */
  #chosen(schema: unknown): { plain: unknown; nullable: boolean; others?: unknown[] } {
    if (!Array.isArray(schema)) {
      return { plain: this.#resolved(schema), nullable: schema === "null" };
    }
    const types = schema.filter((one) => one !== "null");
    const nullable = types.length < schema.length;
    if (types.length === 1) return { plain: this.#resolved(types[0]), nullable };
    return { plain: null, nullable, others: types };
  }

  /** The definition of a named type, which is remembered where it is defined. */
  #resolved(schema: unknown): unknown {
    if (typeof schema === "string") return this.#named.get(schema) ?? schema;
    if (!isObject(schema)) return schema;
    const name = textOf(schema.name);
    if (name !== undefined) {
      const space = textOf(schema.namespace);
      for (const known of [name, name.split(".").at(-1)!, `${space}.${name}`]) {
        this.#named.set(known, schema);
      }
    }
    // `{"type": {"type": "array", …}}` is allowed too.
    return isObject(schema.type) && name === undefined ? this.#resolved(schema.type) : schema;
  }

  #typeOf(schema: unknown): FieldType {
    if (!isObject(schema)) return primitives.get(String(schema)) ?? "TYPE_UNKNOWN";
    const logical = textOf(schema.logicalType) ?? "";
    return logicals.find(([pattern]) => pattern.test(logical))?.[1] ??
      primitives.get(textOf(schema.type) ?? "") ?? "TYPE_UNKNOWN";
  }

  #words(schema: unknown): string {
    if (Array.isArray(schema)) return `union<${schema.map((one) => this.#words(one)).join(",")}>`;
    if (!isObject(schema)) return String(schema);
    const logical = textOf(schema.logicalType);
    if (logical === "decimal") return `decimal(${schema.precision},${schema.scale ?? 0})`;
    if (logical !== undefined) return logical;
    if (schema.type === "array") return `array<${this.#words(schema.items)}>`;
    if (schema.type === "map") return `map<${this.#words(schema.values)}>`;
    return textOf(schema.name) ?? textOf(schema.type) ?? "unknown";
  }

  /** Fields of a record, or of the records in a list or a map. */
  #children(schema: unknown, depth: number): SchemaField[] {
    if (!isObject(schema) || depth >= maxSchemaDepth) return [];
    const inner = schema.type === "array"
      ? schema.items
      : schema.type === "map"
      ? schema.values
      : null;
    if (inner !== null) return this.#children(this.#chosen(inner).plain, depth);
    if (!Array.isArray(schema.fields) || this.#open.has(schema)) return [];
    this.#open.add(schema);
    const children = schema.fields.filter(isObject).map((one) =>
      this.field(textOf(one.name) ?? "", one.type, one, depth + 1)
    );
    this.#open.delete(schema);
    return children;
  }
}
