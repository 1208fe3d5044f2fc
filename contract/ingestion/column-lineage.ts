import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { columnEdgeKinds } from "#contract/entities.ts";
import { maxColumnBytes, maxColumnEdges, maxEdgeDescription, maxEdgeSubtype } from "./limits.ts";
import { Catrn, fitsBytes } from "./values.ts";

/** The name of a column within its dataset, that of a nested one with the names above it: `address.city`. */
export const ColumnPath = z.string().min(1, { error: "must not be empty" }).refine(
  (text) => fitsBytes(text, maxColumnBytes),
  { error: `must be at most ${maxColumnBytes} bytes of UTF-8` },
).openapi({ type: "string", minLength: 1, maxLength: maxColumnBytes });

/** A column; without `field` the dataset as a whole. Letter case of `field` makes no difference. */
const place = { dataset_catrn: Catrn, field: ColumnPath.optional() };

const short = (max: number) =>
  z.string().max(max, { error: `must be at most ${max} long` }).optional();

const ColumnLineageSource = z.object({
  ...place,
  type: z.enum(columnEdgeKinds).optional(),
  subtype: short(maxEdgeSubtype),
  masking: z.boolean().optional(),
  description: short(maxEdgeDescription),
}).openapi("ColumnLineageSource");

const ColumnLineageEntry = z.object({
  target: z.object(place).openapi("ColumnLineageTarget"),
  sources: boundedArray(ColumnLineageSource, maxColumnEdges),
}).openapi("ColumnLineageEntry");

/**
 * From which columns the columns of an item's outputs are made, at most `maxColumnEdges` sources in all.
 * Replaces what the item declared before; absent leaves it as it is, `[]` takes it away.
 */
export const ColumnLineage = boundedArray(ColumnLineageEntry, maxColumnEdges)
  .superRefine((entries, context) => {
    let edges = 0;
    for (const [i, { sources }] of entries.entries()) {
      edges += sources.length;
      if (edges <= maxColumnEdges) continue;
      context.addIssue({
        code: "custom",
        path: [i, "sources"],
        message: `must hold at most ${maxColumnEdges} sources, with those of the entries before`,
      });
      return;
    }
  });
export type ColumnLineage = z.output<typeof ColumnLineage>;
