import { t } from "#web/messages/text.ts";
/** The part of JSON Schema (draft 2020-12) that the schema of policies uses. */
export interface JsonSchema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  minProperties?: number;
  maxProperties?: number;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  maxLength?: number;
  anyOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
}

export interface Problem {
  /** Such as `statements[0].permissions`. */
  path: string;
  message: string;
  /** What would be right there, if it is one value or type. */
  wanted?: string;
}

/** Deepest value that is looked at; deeper ones are left to the service. */
const deepest = 64;

/** Errors of a value; empty if it is valid. If several shapes are allowed, those of the nearest one. */
export function problemsOf(
  value: unknown,
  schema: JsonSchema,
  root = schema,
  path = "",
  depth = 0,
): Problem[] {
  if (depth > deepest) return [];
  const { $ref, anyOf } = schema;
  if ($ref) return problemsOf(value, refOf(root, $ref), root, path, depth + 1);
  if (anyOf) return nearest(value, anyOf, root, path, depth);
  const wrong = wrongWith(value, schema);
  if (wrong) return [{ path, ...wrong }];
  if (Array.isArray(value)) {
    return value.flatMap((one, at) =>
      schema.items ? problemsOf(one, schema.items, root, `${path}[${at}]`, depth + 1) : []
    );
  }
  return isObject(value) ? ofMembers(value, schema, root, path, depth) : [];
}

function refOf(root: JsonSchema, ref: string): JsonSchema {
  return root.$defs?.[ref.split("/").at(-1)!] ?? {};
}

function wrongWith(value: unknown, schema: JsonSchema): Omit<Problem, "path"> | undefined {
  const { type, const: only, enum: some } = schema;
  if (type && typeOf(value) !== type) {
    const wanted = t("management.ofType", { type });
    return { message: t("management.mustBe", { wanted }), wanted };
  }
  if (only !== undefined && value !== only) {
    const wanted = String(only);
    return { message: t("management.mustBe", { wanted }), wanted };
  }
  if (some && !some.includes(value)) {
    return { message: t("management.mustBeOneOf", { values: some.join(", ") }) };
  }
  const long = typeof value === "string" ? value.length : 0;
  if (long > (schema.maxLength ?? Infinity)) {
    return { message: t("management.mustHaveAtMostCharacters", { max: schema.maxLength! }) };
  }
  if (Array.isArray(value)) return tooMany(value.length, schema.minItems, schema.maxItems);
  if (!isObject(value)) return undefined;
  return tooMany(Object.keys(value).length, schema.minProperties, schema.maxProperties);
}

function tooMany(many: number, min = 0, max = Infinity): Omit<Problem, "path"> | undefined {
  if (many < min) return { message: t("management.mustHoldAtLeast", { min }) };
  return many > max ? { message: t("management.mustHoldAtMost", { max }) } : undefined;
}

function ofMembers(
  value: Record<string, unknown>,
  schema: JsonSchema,
  root: JsonSchema,
  path: string,
  depth: number,
): Problem[] {
  const at = (key: string) => (path ? `${path}.${key}` : key);
  const missing = (schema.required ?? []).filter((key) => !Object.hasOwn(value, key));
  const found = missing.map((key): Problem => ({
    path: at(key),
    message: t("management.isMissing"),
  }));
  for (const [key, member] of Object.entries(value)) {
    const known = schema.properties && Object.hasOwn(schema.properties, key)
      ? schema.properties[key]
      : schema.additionalProperties;
    const wrong = schema.propertyNames && wrongWith(key, schema.propertyNames);
    if (wrong) {
      found.push({ path: at(key), message: t("management.itsName", { problem: wrong.message }) });
    } else if (known === false) found.push({ path: at(key), message: t("management.isNotKnown") });
    else if (typeof known === "object") {
      found.push(...problemsOf(member, known, root, at(key), depth + 1));
    }
  }
  return found;
}

function nearest(
  value: unknown,
  shapes: JsonSchema[],
  root: JsonSchema,
  path: string,
  depth: number,
): Problem[] {
  const keys = shapes.flatMap(({ required = [] }) => required);
  if (isObject(value) && keys.length > 0 && !keys.some((key) => Object.hasOwn(value, key))) {
    return [{
      path,
      message: t("management.mustHaveOneOf", { keys: [...new Set(keys)].join(", ") }),
    }];
  }
  // Of shapes that differ by a key, only those that have it count.
  const meant = isObject(value)
    ? shapes.filter(({ required = [] }) => required.some((key) => Object.hasOwn(value, key)))
    : shapes;
  const all = (meant.length > 0 ? meant : shapes)
    .map((shape) => problemsOf(value, shape, root, path, depth + 1))
    .toSorted((a, b) => a.length - b.length);
  const best = all[0] ?? [];
  const choice = best[0];
  if (all.length < 2 || choice?.wanted === undefined) return best;
  // Every shape wants another value there: each of them would do.
  const others = all.map((some) => some.find((one) => one.path === choice.path)?.wanted);
  if (others.some((wanted) => wanted === undefined)) return best;
  const wanted = [...new Set(others)];
  const message = wanted.length > 1
    ? t("management.mustBeOneOf", { values: wanted.join(", ") })
    : t("management.mustBe", { wanted: wanted[0]! });
  return [{ path: choice.path, message }];
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
}

function isObject<T>(value: T): value is T & Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
