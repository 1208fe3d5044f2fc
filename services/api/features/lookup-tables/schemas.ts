import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { Long } from "#contract/catalogue/common.ts";
import { LookupTableFieldType } from "#contract/catalogue/lookup-tables.ts";
import { Id } from "#contract/http.ts";
import { givenName, givenText } from "#contract/text.ts";
import {
  maxColumns,
  maxDescription,
  maxName,
  maxRowsPerRequest,
} from "#services/api/features/lookup-tables/limits.ts";

const Name = givenName({ min: 1, max: maxName });
/** Blank means none. */
const Description = givenText({ max: maxDescription }).nullish()
  .transform((text) => text || null)
  .openapi({ type: ["string", "null"] });
const given = (standard: boolean) => z.boolean().nullish().openapi({ default: standard });

/** A namespace that is not there is made. */
export const LookupTableForm = z.object({
  name: Name,
  description: Description,
  namespace_name: Name,
}).openapi("LookupTableFormData");
export type LookupTableForm = z.output<typeof LookupTableForm>;

/** Left out: as it is. Blank or null: none. */
const ChangedDescription = givenText({ max: maxDescription }).nullish()
  .transform((text) => (text === undefined ? undefined : text || null))
  .openapi({ type: ["string", "null"] });

export const LookupTableUpdateForm = z.object({ name: Name, description: ChangedDescription })
  .openapi("LookupTableUpdateFormData");
export type LookupTableUpdateForm = z.output<typeof LookupTableUpdateForm>;

const LookupTableFieldForm = z.object({
  name: Name,
  description: Description,
  field_type: LookupTableFieldType,
  is_nullable: given(true).transform((value) => value ?? true),
  is_unique: given(false).transform((value) => value ?? false),
  default_value: z.string().nullish(),
}).openapi("LookupTableFieldFormData");
export type LookupTableFieldForm = z.output<typeof LookupTableFieldForm>;

export const LookupTableFieldForms = boundedArray(LookupTableFieldForm, maxColumns)
  .min(1, { error: "must hold a column at least" });

/** What is left out stays as it is; null takes a description or a default, and sets the standard of a rule. */
const changedRule = (standard: boolean) =>
  z.boolean().nullish().transform((value) => (value === undefined ? undefined : value ?? standard))
    .openapi({ type: ["boolean", "null"] });
export const LookupTableFieldUpdateForm = z.object({
  name: Name,
  description: ChangedDescription,
  is_nullable: changedRule(true),
  is_unique: changedRule(false),
  default_value: z.string().nullish(),
}).openapi("LookupTableFieldUpdateFormData");
export type LookupTableFieldUpdateForm = z.output<typeof LookupTableFieldUpdateForm>;

const LookupTableRowColumnForm = z.object({ field_id: Id, value: z.string().nullish() })
  .openapi("LookupTableRowColumnFormData");

export const LookupTableRowForm = z.object({
  items: boundedArray(LookupTableRowColumnForm, maxColumns + 1),
}).openapi("LookupTableRowFormData");
export type LookupTableRowForm = z.output<typeof LookupTableRowForm>;

export const LookupTableRowForms = boundedArray(LookupTableRowForm, maxRowsPerRequest)
  .min(1, { error: "must hold a row at least" });

/** What an import has done. */
export const LookupTableImport = z.object({ inserted: Long, total: Long })
  .openapi("LookupTableImport");
