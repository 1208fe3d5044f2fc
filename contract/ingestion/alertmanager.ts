import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { maxMarks } from "./limits.ts";
import { Catrn, utcText } from "./values.ts";

/** Maximum number of alerts of one request. */
export const maxRoutedAlerts = 10_000;

/** Go programs write "no time" as year 1; times before this count as absent. */
const firstTime = Date.UTC(1, 0, 2);

/** RFC 3339 with an optional offset (UTC without it) and any number of fraction digits. */
const timePattern = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([zZ]|[+-]\d{2}:?\d{2})?$/;

function millis(text: string): number {
  if (!timePattern.test(text)) return NaN;
  const zoned = /([zZ]|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) ? text : `${text}Z`;
  return Date.parse(zoned.replace(" ", "T").replace(/(\.\d{3})\d+/, "$1"));
}

/** Milliseconds since 1970; undefined for a text that means "no time". */
const AlertTime = z.string().refine((text) => text === "" || !Number.isNaN(millis(text)), {
  error: "must be a time such as 2026-01-31T12:00:00Z",
  abort: true,
}).refine((text) => !(millis(text) >= firstTime) || utcText(millis(text)) !== null, {
  error: "must lie in the years up to 9999",
}).transform((text) => {
  const at = text === "" ? NaN : millis(text);
  return at >= firstTime ? at : undefined;
}).openapi({ type: "string", format: "date-time" });

/** A text that an alert may carry; a value of any other type counts as absent. */
const AnyText = z.string().optional().catch(undefined).openapi({ type: "string" });

/** The annotations that are read; any others, and a body without a map of them, are accepted. */
const Annotations = z.object({ summary: AnyText, description: AnyText, message: AnyText })
  .optional().catch(undefined).openapi({
    type: "object",
    properties: {
      summary: { type: "string" },
      description: { type: "string" },
      message: { type: "string" },
    },
  });

/** The label that names the entity; an empty label counts as absent. */
const NamedEntity = z.union([z.literal(""), Catrn]).optional();

/** The members that are read of one alert; all others are ignored. */
export const RoutedAlert = z.object({
  labels: z.looseObject({ entity_catrn: NamedEntity, entity_oddrn: NamedEntity })
    .refine((labels) => Object.keys(labels).length <= maxMarks, {
      error: `must hold at most ${maxMarks} members`,
    }).openapi({ maxProperties: maxMarks }).optional(),
  annotations: Annotations,
  generatorURL: z.string().optional(),
  startsAt: AlertTime.optional(),
  // Alertmanager sends year 1 while an alert fires. What cannot be read counts as absent.
  endsAt: AlertTime.optional().catch(undefined).openapi({ type: "string", format: "date-time" }),
  status: z.string().optional(),
  fingerprint: z.string().optional(),
}).openapi("RoutedAlert");
export type RoutedAlert = z.output<typeof RoutedAlert>;

/** The body of an Alertmanager webhook. */
export const RoutedAlertList = z.object({
  alerts: boundedArray(RoutedAlert, maxRoutedAlerts).optional(),
}).openapi("RoutedAlertList");
