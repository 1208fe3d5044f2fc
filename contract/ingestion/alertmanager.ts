import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { maxMarks } from "./limits.ts";
import { Catrn, utcText } from "./values.ts";

/** Most alerts of one call. */
export const maxRoutedAlerts = 10_000;

/** Times before this are how Go programs write that there is none. */
const firstTime = Date.UTC(1, 0, 2);

/** RFC 3339, its offset optional (UTC without), any number of digits after the second. */
const timePattern = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([zZ]|[+-]\d{2}:?\d{2})?$/;

function millis(text: string): number {
  if (!timePattern.test(text)) return NaN;
  const zoned = /([zZ]|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) ? text : `${text}Z`;
  return Date.parse(zoned.replace(" ", "T").replace(/(\.\d{3})\d+/, "$1"));
}

/** Milliseconds since 1970; undefined for what stands for no time. */
const StartTime = z.string().refine((text) => text === "" || !Number.isNaN(millis(text)), {
  error: "must be a time such as 2026-01-31T12:00:00Z",
  abort: true,
}).refine((text) => !(millis(text) >= firstTime) || utcText(millis(text)) !== null, {
  error: "must lie in the years up to 9999",
}).transform((text) => {
  const at = text === "" ? NaN : millis(text);
  return at >= firstTime ? at : undefined;
}).openapi({ type: "string", format: "date-time" });

/** The label that names the entity; an empty label is the same as none. */
const NamedEntity = z.union([z.literal(""), Catrn]).optional();

/** What is read of one alert; all else is ignored. */
export const RoutedAlert = z.object({
  labels: z.looseObject({ entity_catrn: NamedEntity, entity_oddrn: NamedEntity })
    .refine((labels) => Object.keys(labels).length <= maxMarks, {
      error: `must hold at most ${maxMarks} members`,
    }).openapi({ maxProperties: maxMarks }).optional(),
  generatorURL: z.string().optional(),
  startsAt: StartTime.optional(),
  status: z.string().optional(),
  fingerprint: z.string().optional(),
}).openapi("RoutedAlert");
export type RoutedAlert = z.output<typeof RoutedAlert>;

/** The body of a webhook of Alertmanager. */
export const RoutedAlertList = z.object({
  alerts: boundedArray(RoutedAlert, maxRoutedAlerts).optional(),
}).openapi("RoutedAlertList");
