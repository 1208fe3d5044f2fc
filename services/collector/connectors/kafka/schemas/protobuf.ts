import protobuf from "protobufjs";
import { maxSchemaDepth, type SchemaField } from "#platform/items.ts";

type FieldType = SchemaField["type"];

const scalars: [RegExp, FieldType][] = [
  [/^(s|u)?int(32|64)$|^s?fixed(32|64)$/, "TYPE_INTEGER"],
  [/^(float|double)$/, "TYPE_NUMBER"],
  [/^bool$/, "TYPE_BOOLEAN"],
  [/^string$/, "TYPE_STRING"],
  [/^bytes$/, "TYPE_BINARY"],
  [/(^|\.)google\.protobuf\.Timestamp$/, "TYPE_DATETIME"],
  [/(^|\.)google\.protobuf\.Duration$/, "TYPE_DURATION"],
  [/(^|\.)google\.protobuf\.(Struct|Any|Value)$/, "TYPE_STRUCT"],
];

/** The fields of the first message of a file of Protobuf. Throws for an invalid text. */
export function protobufFields(text: string): SchemaField[] {
  const { root } = protobuf.parse(text, new protobuf.Root(), { keepCase: true });
  const message = firstMessage(root);
  return message ? fieldsOf(message, [message]) : [];
}

/** In the order of the file; packages are namespaces around it. */
function firstMessage(namespace: protobuf.NamespaceBase): protobuf.Type | undefined {
  for (const one of namespace.nestedArray) {
    if (one instanceof protobuf.Type) return one;
    const found = one instanceof protobuf.Namespace ? firstMessage(one) : undefined;
    if (found) return found;
  }
  return undefined;
}

function fieldsOf(message: protobuf.Type, around: protobuf.Type[]): SchemaField[] {
  return message.fieldsArray.map((field) => fieldOf(field, around));
}

function fieldOf(field: protobuf.Field, around: protobuf.Type[]): SchemaField {
  const isMap = field instanceof protobuf.MapField;
  const target = field.parent?.lookup(field.type) ?? null;
  const isNested = target instanceof protobuf.Type && !around.includes(target) &&
    around.length < maxSchemaDepth;
  return {
    name: field.name,
    type: isMap ? "TYPE_MAP" : field.repeated ? "TYPE_LIST" : typeOf(field.type, target),
    logical: isMap
      ? `map<${(field as protobuf.MapField).keyType},${field.type}>`
      : field.repeated
      ? `repeated ${field.type}`
      : field.type,
    nullable: !field.required,
    ...(field.comment ? { description: field.comment } : {}),
    ...(target instanceof protobuf.Enum ? { values: Object.keys(target.values) } : {}),
    children: isNested ? fieldsOf(target, [...around, target]) : [],
  };
}

function typeOf(name: string, target: protobuf.ReflectionObject | null): FieldType {
  if (target instanceof protobuf.Enum) return "TYPE_STRING";
  const known = scalars.find(([pattern]) => pattern.test(name))?.[1];
  return known ?? (target instanceof protobuf.Type ? "TYPE_STRUCT" : "TYPE_UNKNOWN");
}
