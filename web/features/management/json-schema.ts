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
  if (wrong) return [{ path, message: wrong }];
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

function wrongWith(value: unknown, schema: JsonSchema): string | undefined {
  const { type, const: only, enum: some } = schema;
  if (type && typeOf(value) !== type) {
    return t("management.mustBe2", { value: /^[ao]/.test(type) ? "an" : "a", type });
  }
  if (only !== undefined && value !== only) return t("management.mustBe", { only });
  if (some && !some.includes(value)) return t("management.mustBeOneOf", { join: some.join(", ") });
  const long = typeof value === "string" ? value.length : 0;
  if (long > (schema.maxLength ?? Infinity)) {
    return t("management.mustHaveAtMostCharacters", { maxLength: schema.maxLength });
  }
  if (Array.isArray(value)) return tooMany(value.length, schema.minItems, schema.maxItems);
  if (!isObject(value)) return undefined;
  return tooMany(Object.keys(value).length, schema.minProperties, schema.maxProperties);
}

function tooMany(many: number, min = 0, max = Infinity): string | undefined {
  if (many < min) return t("management.mustHoldAtLeast", { min });
  return many > max ? t("management.mustHoldAtMost", { max }) : undefined;
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
  const found = missing.map((key) => ({ path: at(key), message: "is missing" }));
  for (const [key, member] of Object.entries(value)) {
    const known = schema.properties && Object.hasOwn(schema.properties, key)
      ? schema.properties[key]
      : schema.additionalProperties;
    const wrong = schema.propertyNames && wrongWith(key, schema.propertyNames);
    if (wrong) found.push({ path: at(key), message: `its name ${wrong}` });
    else if (known === false) found.push({ path: at(key), message: "is not known" });
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
    return [{ path, message: `must have one of ${[...new Set(keys)].join(", ")}` }];
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
  if (all.length < 2 || !choice || !/^must be (?!one of )/.test(choice.message)) return best;
  // Every shape wants another constant there: each of them would do.
  const others = all.map((some) => some.find((one) => one.path === choice.path)?.message);
  if (others.some((message) => !message?.startsWith("must be "))) return best;
  const wanted = [...new Set(others.map((message) => message!.slice("must be ".length)))];
  const said = wanted.length > 1 ? `one of ${wanted.join(", ")}` : wanted[0];
  return [{ path: choice.path, message: `must be ${said}` }];
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
}

function isObject<T>(value: T): value is T & Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
