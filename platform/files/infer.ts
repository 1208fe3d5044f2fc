import { maxSchemaDepth, type SchemaField } from "#platform/schema-fields.ts";

type FieldType = SchemaField["type"];

const forms: [RegExp, FieldType][] = [
  [/^[+-]?\d{1,18}$/, "TYPE_INTEGER"],
  [/^[+-]?(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d{1,3})?$/, "TYPE_NUMBER"],
  [/^(true|false)$/i, "TYPE_BOOLEAN"],
  [
    /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/,
    "TYPE_DATETIME",
  ],
];

/** The type that a text looks like. Numbers with leading zeros are texts: of articles, or of telephones. */
export function typeOfText(text: string): FieldType {
  const plain = text.trim();
  if (/^0\d/.test(plain) || plain.length > 100) return "TYPE_STRING";
  return forms.find(([pattern]) => pattern.test(plain))?.[1] ?? "TYPE_STRING";
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields of some objects, in the order in which they first come; throws for what is no object. */
export function fieldsOfValues(rows: unknown[], depth = 0): SchemaField[] {
  const members = new Map<string, unknown[]>();
  for (const row of rows) {
    if (!isObject(row)) throw new TypeError("not an object");
    for (const [name, value] of Object.entries(row)) {
      const values = members.get(name) ?? [];
      values.push(value);
      members.set(name, values);
    }
  }
  return [...members].map(([name, values]) => fieldOf(name, values, depth));
}

function fieldOf(name: string, given: unknown[], depth: number): SchemaField {
  const values = given.filter((value) => value !== null);
  const types = new Set(values.map(typeOfValue));
  const type = commonType(types);
  const elements = type === "TYPE_LIST" ? (values as unknown[][]).flat() : values;
  const hasObjects = elements.length > 0 && elements.every(isObject) && depth < maxSchemaDepth;
  return {
    name,
    type,
    logical: type === "TYPE_LIST" ? "array" : type.slice(5).toLowerCase(),
    nullable: true,
    children: hasObjects ? fieldsOfValues(elements, depth + 1) : [],
  };
}

function typeOfValue(value: unknown): FieldType {
  if (typeof value === "boolean") return "TYPE_BOOLEAN";
  if (typeof value === "number") return Number.isInteger(value) ? "TYPE_INTEGER" : "TYPE_NUMBER";
  if (Array.isArray(value)) return "TYPE_LIST";
  if (isObject(value)) return "TYPE_STRUCT";
  return typeOfText(String(value)) === "TYPE_DATETIME" ? "TYPE_DATETIME" : "TYPE_STRING";
}

function commonType(types: ReadonlySet<FieldType>): FieldType {
  const [only = "TYPE_UNKNOWN"] = types;
  if (types.size < 2) return only;
  const isAll = (...of: FieldType[]) => [...types].every((one) => of.includes(one));
  if (isAll("TYPE_INTEGER", "TYPE_NUMBER")) return "TYPE_NUMBER";
  return isAll("TYPE_DATETIME", "TYPE_STRING") ? "TYPE_STRING" : "TYPE_UNION";
}
