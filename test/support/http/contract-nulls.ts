import { z } from "@hono/zod-openapi";
import { isAsGiven } from "#contract/catalogue/common.ts";

type Json = Record<string, unknown>;

/**
 * The first member that an answer leaves out though it is promised as null, by its path; null when
 * there is none. A member is promised when its schema takes both null and nothing (`optional` in the
 * catalogue's contract): clients may meet neither, the service always writes it. One that may really be
 * missing takes no null; what is shown `asGiven` promises nothing. The value is one that the schema takes.
 */
export function leftOut(schema: z.ZodType, value: unknown, path = ""): string | null {
  if (value === undefined || value === null || isAsGiven(schema)) return null;
  if (schema instanceof z.ZodObject) return fromObject(schema, value as Json, path);
  if (schema instanceof z.ZodArray) {
    const item = schema.element as z.ZodType;
    return first(value as unknown[], (entry, at) => leftOut(item, entry, `${path}[${at}]`));
  }
  if (schema instanceof z.ZodRecord) {
    const member = schema.valueType as z.ZodType;
    return first(Object.entries(value), ([key, entry]) => leftOut(member, entry, `${path}.${key}`));
  }
  return first(within(schema, value), (inner) => leftOut(inner, value, path));
}

function fromObject({ shape }: z.ZodObject, value: Json, path: string): string | null {
  return first(Object.entries(shape), ([key, declared]) => {
    const member = declared as z.ZodType;
    if (Object.hasOwn(value, key)) return leftOut(member, value[key], `${path}.${key}`);
    return isPromised(member) ? `${path}.${key}` : null;
  });
}

function isPromised(member: z.ZodType): boolean {
  return member.safeParse(null).success && member.safeParse(undefined).success;
}

/** The schemas that a schema is made of and that take the value. */
function within(schema: z.ZodType, value: unknown): z.ZodType[] {
  if (schema instanceof z.ZodUnion) {
    const options = schema.options as z.ZodType[];
    return options.filter((option) => option.safeParse(value).success).slice(0, 1);
  }
  if (schema instanceof z.ZodIntersection) {
    return [schema.def.left, schema.def.right] as z.ZodType[];
  }
  if (schema instanceof z.ZodPipe) return [schema.in as z.ZodType];
  const wraps = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault || schema instanceof z.ZodLazy ||
    schema instanceof z.ZodReadonly;
  return wraps ? [schema.unwrap() as z.ZodType] : [];
}

function first<T>(items: T[], problem: (item: T, at: number) => string | null): string | null {
  for (const [at, item] of items.entries()) {
    const found = problem(item, at);
    if (found) return found;
  }
  return null;
}
