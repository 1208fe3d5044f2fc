import { isObject, own } from "#kit/own.ts";
import { maxSchemaDepth, type SchemaField } from "#platform/items.ts";

type Json = Record<string, unknown>;
type FieldType = SchemaField["type"];

const types = new Map<string, FieldType>([
  ["string", "TYPE_STRING"],
  ["integer", "TYPE_INTEGER"],
  ["number", "TYPE_NUMBER"],
  ["boolean", "TYPE_BOOLEAN"],
  ["array", "TYPE_LIST"],
  ["object", "TYPE_STRUCT"],
]);

const formats = new Map<string, FieldType>([
  ["date-time", "TYPE_DATETIME"],
  ["date", "TYPE_DATETIME"],
  ["time", "TYPE_TIME"],
  ["duration", "TYPE_DURATION"],
]);

const textOf = (value: unknown) => typeof value === "string" ? value : undefined;

/** The fields of a JSON Schema; one that is not an object is one field `value`. Throws for a text that is not JSON. */
export function jsonFields(text: string): SchemaField[] {
  const root: unknown = JSON.parse(text);
  const reader = new SchemaReader(isObject(root) ? root : {});
  const field = reader.field("value", root, false, 0);
  return field.type === "TYPE_STRUCT" ? field.children : [field];
}

class SchemaReader {
  constructor(private readonly root: Json) {}

  field(name: string, given: unknown, required: boolean, depth: number): SchemaField {
    const { schema, nullable } = this.#chosen(given);
    const type = typeName(schema);
    const format = textOf(schema.format) ?? "";
    const values = Array.isArray(schema.enum) ? schema.enum.map(String) : undefined;
    const description = textOf(schema.description);
    return {
      name,
      type: type === "string"
        ? formats.get(format) ?? "TYPE_STRING"
        : types.get(type) ?? "TYPE_UNKNOWN",
      logical: format || type,
      nullable: nullable || !required,
      ...(description ? { description } : {}),
      ...(schema.default === undefined ? {} : { standard: JSON.stringify(schema.default) }),
      ...(values ? { values } : {}),
      children: this.#children(schema, depth),
    };
  }

  #children(schema: Json, depth: number): SchemaField[] {
    if (depth >= maxSchemaDepth) return [];
    if (isObject(schema.items)) return this.#children(this.#chosen(schema.items).schema, depth);
    if (!isObject(schema.properties)) return [];
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    return Object.entries(schema.properties)
      .map(([name, one]) => this.field(name, one, required.has(name), depth + 1));
  }

  /** What a reference or the one alternative besides null stands for. */
  #chosen(given: unknown, depth = 0): { schema: Json; nullable: boolean } {
    if (!isObject(given) || depth >= maxSchemaDepth) return { schema: {}, nullable: false };
    const reference = textOf(given.$ref);
    if (reference !== undefined) return this.#chosen(this.#referenced(reference), depth + 1);
    const choices = [given.oneOf, given.anyOf].find(Array.isArray);
    const others = choices?.filter((one) => !isObject(one) || one.type !== "null") ?? [];
    const isNull = Array.isArray(given.type) && given.type.includes("null") ||
      choices !== undefined && others.length < choices.length;
    if (others.length !== 1) return { schema: given, nullable: isNull };
    return { ...this.#chosen(others[0], depth + 1), nullable: isNull };
  }

  /** A definition of the same document. */
  #referenced(reference: string): unknown {
    if (!reference.startsWith("#")) return undefined;
    const steps = reference.slice(1).split("/").filter((step) => step !== "");
    return steps.reduce<unknown>(
      (at, step) =>
        isObject(at) ? own(at, step.replaceAll("~1", "/").replaceAll("~0", "~")) : undefined,
      this.root,
    );
  }
}

function typeName(schema: Json): string {
  const given = Array.isArray(schema.type)
    ? schema.type.filter((one) => one !== "null")
    : [schema.type];
  if (given.length === 1 && typeof given[0] === "string") return given[0];
  if (isObject(schema.properties)) return "object";
  return Array.isArray(schema.enum) ? "string" : "unknown";
}
