import { z } from "@hono/zod-openapi";
import { Instant } from "#contract/ingestion/values.ts";
import { StorableText, unstorable } from "#contract/text.ts";

/** Largest `size` of a page. */
export const maxPageSize = 1_000;

export const ErrorResponse = z.object({
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  resolvable: z.boolean(),
  details: z.array(z.object({ field: z.string(), message: z.string() })),
}).openapi("ErrorResponse");

export const PageInfo = z.object({
  total: z.number().int(),
  hasNext: z.boolean(),
}).openapi("PageInfo");

/** RFC 3339 date-time in answers: UTC, with milliseconds. */
export const Timestamp = z.string().openapi({ format: "date-time" });

/** A query parameter that is a time; converted to UTC with milliseconds. */
export function timeQuery(name: string, options: { required: true }): z.ZodType<string, string>;
export function timeQuery(name: string): z.ZodType<string | undefined, string | undefined>;
export function timeQuery(name: string, { required = false } = {}): z.ZodType {
  return (required ? Instant : Instant.optional()).openapi({
    param: { name, in: "query", required },
    type: "string",
    format: "date-time",
  });
}

/** An id in a JSON body. */
export const Id = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).openapi({
  format: "int64",
});

const wholeNumber = /^[+-]?\d{1,16}$/;

function integerText(min: number, max: number) {
  return z.string()
    .refine((text) => wholeNumber.test(text), { error: `must be an integer from ${min} to ${max}` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, {
      error: `must be an integer from ${min} to ${max}`,
    });
}

/** A path parameter that is an id. */
export function idParam(name: string) {
  return integerText(1, Number.MAX_SAFE_INTEGER).openapi({
    param: { name, in: "path", required: true },
    type: "integer",
    format: "int64",
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
  });
}

/** Longest text of a parameter, in UTF-16 units; no name in the catalogue is longer. */
export const maxParameterText = 3_000;
/** Maximum number of values of a list parameter. */
export const maxParameterList = 1_000;
const parameterLength = { error: `must be at most ${maxParameterText} characters long` };

/** Any text, as a parameter. */
export const parameterText = z.string().max(maxParameterText, parameterLength);
/** A text that is compared with stored text, so PostgreSQL must accept it. */
export const storableParameter = StorableText.max(maxParameterText, parameterLength);

/** A path parameter with free text. */
export function textParam(name: string) {
  return parameterText.openapi({ param: { name, in: "path", required: true }, type: "string" });
}

/** A path parameter with a text that is compared with stored text. */
export function storableTextParam(name: string) {
  return storableParameter.openapi({ param: { name, in: "path", required: true }, type: "string" });
}

interface IntegerQueryOptions {
  min: number;
  max: number;
  required?: boolean;
  default?: number;
  description?: string;
}

/** An integer query parameter; `undefined` when it is optional and absent. */
export function integerQuery(
  name: string,
  options: IntegerQueryOptions & { required: true },
): z.ZodType<number, string>;
export function integerQuery(
  name: string,
  options: IntegerQueryOptions & { default: number },
): z.ZodType<number, string | undefined>;
export function integerQuery(
  name: string,
  options: IntegerQueryOptions,
): z.ZodType<number | undefined, string | undefined>;
export function integerQuery(name: string, options: IntegerQueryOptions): z.ZodType {
  const { min, max, required = false } = options;
  const base = integerText(min, max);
  const value = options.default !== undefined
    ? base.optional().transform((v) => v ?? options.default)
    : required
    ? base
    : base.optional();
  return value.openapi({
    param: {
      name,
      in: "query",
      required,
      ...(options.description ? { description: options.description } : {}),
    },
    type: "integer",
    format: max > 2 ** 31 ? "int64" : "int32",
    minimum: min,
    maximum: max,
    ...(options.default !== undefined ? { default: options.default } : {}),
  });
}

const page = { min: 1, max: 2 ** 31 - 1 };
const size = { min: 1, max: maxPageSize };

/** `page` counts from 1. Both are required, as the published contract says for paged lists. */
export const pageQuery = {
  page: integerQuery("page", { ...page, required: true }),
  size: integerQuery("size", { ...size, required: true }),
};
/** With defaults: for lists where the published contract has them, and for lists beyond it. */
export const pageQueryWithDefaults = {
  page: integerQuery("page", { ...page, default: 1 }),
  size: integerQuery("size", { ...size, default: 30 }),
};

/** The page that the client requests. */
export interface PageQuery {
  page: number;
  size: number;
}

/** The page that the client requests; with `query`, of the items that contain it. */
export interface ListQuery extends PageQuery {
  query?: string;
}

/** A page in the form that SQL statements take. */
export interface PageWindow {
  limit: number;
  offset: number;
}

/** An optional query parameter that is an id. */
export function idQuery(name: string) {
  return integerQuery(name, { min: 1, max: Number.MAX_SAFE_INTEGER });
}

/** An optional text query parameter. */
export function textQuery(name: string) {
  return storableParameter.optional().openapi({
    param: { name, in: "query", required: false },
    type: "string",
  });
}

/** An optional query parameter that is `true` or `false`; `undefined` when absent. */
export function booleanQuery(name: string, description: string) {
  return z.enum(["true", "false"], { error: "must be true or false" }).optional()
    .transform((value) => (value === undefined ? undefined : value === "true"))
    .openapi({ param: { name, in: "query", required: false, description }, type: "boolean" });
}

/** An optional (or required) query parameter with a closed set of values. */
export function enumQuery<const T extends [string, ...string[]]>(
  name: string,
  values: T,
  description?: string,
) {
  return z.enum(values).optional()
    .openapi({ param: { name, in: "query", required: false, description } });
}

const listParam = (name: string, description?: string) =>
  ({ name, in: "query", required: false, explode: false, style: "form", description }) as const;

/** Texts, repeated or comma-separated, without blank ones; absent means an empty list. */
const textList = z.union([z.string(), z.array(z.string())]).optional()
  .transform((value) => (value === undefined ? [] : [value].flat().flatMap((v) => v.split(","))))
  .transform((texts) => texts.map((t) => t.trim()).filter((t) => t !== ""))
  .refine((texts) => texts.length <= maxParameterList, {
    error: `must hold at most ${maxParameterList} values`,
  })
  .refine((texts) => texts.every((t) => t.length <= maxParameterText), {
    error: `must hold values of at most ${maxParameterText} characters`,
  });

/** At most `max` texts, repeated or comma-separated, none with commas or outer blanks (`textsQuery`); absent: none. */
export function textListQuery(name: string, max = maxParameterList, description?: string) {
  return textList
    .refine((texts) => texts.length <= max, { error: `must hold at most ${max} values` })
    .refine((texts) => texts.every((t) => unstorable(t) === undefined), {
      error: ({ input }) => (input as string[]).map(unstorable).find((why) => why !== undefined),
    })
    .openapi({
      param: listParam(name, description),
      type: "array",
      items: { type: "string" },
      maxItems: max,
    });
}

/** Values of a closed set, given repeatedly or comma-separated; absent means an empty list. */
export function enumListQuery<const T extends [string, ...string[]]>(name: string, values: T) {
  return textList.pipe(z.array(z.enum(values))).openapi({
    param: listParam(name),
    type: "array",
    items: { type: "string", enum: values },
    maxItems: maxParameterList,
  });
}

/** At most `max` ids, given repeatedly or comma-separated; absent means an empty list. */
export function idListQuery(name: string, max = maxParameterList, description?: string) {
  return textList
    .refine((texts) => texts.every((t) => /^\d{1,16}$/.test(t)), {
      error: "must be integers, repeated or separated by commas",
    })
    .refine((texts) => texts.every((t) => Number(t) <= Number.MAX_SAFE_INTEGER), {
      error: `must be integers from 0 to ${Number.MAX_SAFE_INTEGER}`,
    })
    .refine((texts) => texts.length <= max, { error: `must hold at most ${max} values` })
    .transform((texts) => texts.map(Number))
    .openapi({
      param: listParam(name, description),
      type: "array",
      items: { type: "integer", format: "int64", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      maxItems: max,
    });
}

/** `LIMIT` and `OFFSET` of a page. */
export function pageWindow({ page, size }: PageQuery): PageWindow {
  return { limit: size, offset: (page - 1) * size };
}

/**
 * At most `max` texts, one for each repetition of the parameter and taken as they are: with commas, blanks, or empty.
 * Absent means an empty list.
 */
export function textsQuery(name: string, max: number, description: string) {
  return z.union([storableParameter, z.array(storableParameter)]).optional()
    .transform((value) => (value === undefined ? [] : [value].flat()))
    .refine((texts) => texts.length <= max, { error: `must hold at most ${max} values` })
    .openapi({
      param: { name, in: "query", required: false, explode: true, style: "form", description },
      type: "array",
      items: { type: "string", maxLength: maxParameterText },
      maxItems: max,
    });
}
