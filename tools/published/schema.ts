import { allMembers, publishedShapes } from "./members.ts";

/** A schema of an OpenAPI document, as far as it is compared. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  enum?: unknown[];
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  additionalProperties?: unknown;
}

export type Schemas = Map<string, JsonSchema>;

const integers = { i64: "int64", i32: "int32", int: undefined } as const;
const texts = { ts: "date-time", uuid: "uuid" } as const;

/** Whether a served schema is of a published type (`Member.type`); null is not looked at. */
export function isOfType(schemas: Schemas, schema: JsonSchema, type: string): boolean {
  if (type === "any") return true;
  const alternatives = schema.anyOf?.filter((one) => one.type !== "null");
  if (alternatives) return alternatives.some((one) => isOfType(schemas, one, type));
  if (type.endsWith("[]")) {
    const list = resolved(schemas, schema);
    return hasType(list, "array") && isOfType(schemas, list.items ?? {}, type.slice(0, -2));
  }
  if (type.startsWith("map<")) return hasType(resolved(schemas, schema), "object");
  return isPlain(resolved(schemas, schema), type) ?? isNamed(schemas, schema, type);
}

/** Undefined for a type that is the name of a shape. */
function isPlain(schema: JsonSchema, type: string): boolean | undefined {
  if (Object.hasOwn(integers, type)) return hasType(schema, "integer");
  if (Object.hasOwn(texts, type)) {
    const format = type === "ts" ? texts.ts : texts.uuid;
    return hasType(schema, "string") && schema.format === format;
  }
  const types: [string, string[]][] = [
    ["num", ["number", "integer"]],
    ["str", ["string"]],
    ["uri", ["string"]],
    ["bool", ["boolean"]],
    ["binary", ["string"]],
  ];
  const found = types.find(([name]) => name === type);
  return found && found[1].some((one) => hasType(schema, one));
}

/** By its name, or else by what it is made of: names do not matter to clients that read JSON. */
function isNamed(schemas: Schemas, schema: JsonSchema, name: string): boolean {
  if (schema.$ref && nameOf(schema.$ref) === name) return true;
  const shape = publishedShapes().get(name);
  if (!shape) return sameText(schemas, schema, name);
  const found = resolved(schemas, schema);
  if (shape.values) return shape.values.every((value) => found.enum?.includes(value));
  const given = propertiesOf(schemas, found);
  return allMembers(publishedShapes(), name).every((member) => {
    const property = given.get(member.name);
    return property !== undefined && isOfType(schemas, property, member.type);
  });
}

/** For a shape that is only served, such as a named list: the same schema written out. */
function sameText(schemas: Schemas, schema: JsonSchema, name: string): boolean {
  const shape = schemas.get(name);
  return shape !== undefined && JSON.stringify(shape) === JSON.stringify(resolved(schemas, schema));
}

/** The members of an object, with those of the objects that it extends. */
export function propertiesOf(schemas: Schemas, schema: JsonSchema): Map<string, JsonSchema> {
  const { properties = {}, allOf = [] } = resolved(schemas, schema);
  const inherited = allOf.flatMap((part) => [...propertiesOf(schemas, part)]);
  return new Map([...inherited, ...Object.entries(properties)]);
}

/** The names of the members that are always there. */
export function requiredOf(schemas: Schemas, schema: JsonSchema): string[] {
  const { required = [], allOf = [] } = resolved(schemas, schema);
  return [...allOf.flatMap((part) => requiredOf(schemas, part)), ...required];
}

/** The name of a shape in a reference. */
export const nameOf = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1);

/** What a reference leads to. */
export function resolved(schemas: Schemas, schema: JsonSchema): JsonSchema {
  return schema.$ref ? resolved(schemas, schemas.get(nameOf(schema.$ref)) ?? {}) : schema;
}

const hasType = ({ type }: JsonSchema, name: string) =>
  Array.isArray(type) ? type.includes(name) : type === name;
