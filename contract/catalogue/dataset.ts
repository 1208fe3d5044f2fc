import { z } from "@hono/zod-openapi";
import {
  asGiven,
  Int,
  MetadataFieldValue,
  optional,
  pageOf,
  PayloadInteger,
  TagList,
} from "#contract/catalogue/common.ts";
import { LinkedTerm } from "#contract/catalogue/terms.ts";
import { fieldTypes } from "#contract/entities.ts";
import { Id, Timestamp } from "#contract/http.ts";

export const DataSetFieldType = z.object({
  type: z.enum(fieldTypes),
  logical_type: optional(z.string()),
  is_nullable: z.boolean(),
}).openapi("DataSetFieldType");

const counts = { nulls_count: PayloadInteger, unique_count: PayloadInteger };
const range = <T extends z.ZodType>(value: T) => ({
  low_value: value,
  high_value: value,
  mean_value: optional(value),
  median_value: optional(value),
  ...counts,
});
const lengths = { max_length: PayloadInteger, avg_length: z.number(), ...counts };

export const BooleanFieldStat = z.object({
  true_count: PayloadInteger,
  false_count: PayloadInteger,
  nulls_count: PayloadInteger,
}).openapi("BooleanFieldStat");
export const IntegerFieldStat = asGiven(
  z.object({
    ...range(PayloadInteger),
    // Collectors send fractional means for integer fields.
    mean_value: optional(z.number()),
    median_value: optional(z.number()),
  }).openapi("IntegerFieldStat"),
);
export const NumberFieldStat = asGiven(z.object(range(z.number())).openapi("NumberFieldStat"));
export const DateTimeFieldStat = asGiven(z.object(range(Timestamp)).openapi("DateTimeFieldStat"));
export const StringFieldStat = z.object(lengths).openapi("StringFieldStat");
export const BinaryFieldStat = z.object(lengths).openapi("BinaryFieldStat");
export const ComplexFieldStat = z.object(counts).openapi("ComplexFieldStat");

/** At most one member is given, chosen by the type of the field. */
export const DataSetFieldStat = z.object({
  boolean_stats: optional(BooleanFieldStat),
  integer_stats: optional(IntegerFieldStat),
  number_stats: optional(NumberFieldStat),
  string_stats: optional(StringFieldStat),
  binary_stats: optional(BinaryFieldStat),
  datetime_stats: optional(DateTimeFieldStat),
  complex_stats: optional(ComplexFieldStat),
}).openapi("DataSetFieldStat");

export const DataSetVersion = z.object({ id: Id, version: Int, created_at: Timestamp })
  .openapi("DataSetVersion");
export const DataSetVersionList = pageOf("DataSetVersionList", DataSetVersion);

/** Members of a field that say what it is, and what it is for. */
export const fieldNature = {
  is_key: optional(z.boolean()),
  is_value: optional(z.boolean()),
  is_primary_key: optional(z.boolean()),
  is_sort_key: optional(z.boolean()),
  default_value: optional(z.string()),
  external_description: optional(z.string()),
  internal_description: optional(z.string()),
};

/** `parent_field_id` and `reference_field_id` are fields of the same version. */
export const DataSetField = z.object({
  id: Id,
  parent_field_id: optional(Id),
  lookup_table_definition_id: optional(Id),
  reference_field_id: optional(Id),
  catrn: z.string(),
  name: z.string(),
  internal_name: optional(z.string()),
  type: DataSetFieldType,
  stats: optional(DataSetFieldStat),
  ...fieldNature,
  tags: optional(TagList),
  enum_value_count: optional(Int),
  metadata: optional(z.array(MetadataFieldValue)),
  terms: optional(z.array(LinkedTerm)),
}).openapi("DataSetField");
export const DataSetStructure = z.object({
  field_list: z.array(DataSetField),
  data_set_version: DataSetVersion,
}).openapi("DataSetStructure");

export const DataSetVersionDiffStatus = z.enum(["CREATED", "DELETED", "UPDATED", "NO_CHANGES"])
  .openapi("DataSetVersionDiffStatus");
export const DataSetFieldDiffState = z.object({
  id: Id,
  parent_field_id: optional(Id),
  name: z.string(),
  internal_name: optional(z.string()),
  type: DataSetFieldType,
  is_key: optional(z.boolean()),
  is_value: optional(z.boolean()),
  is_primary_key: optional(z.boolean()),
}).openapi("DataSetFieldDiffState");
/** `states` holds the state of the field in each version, keyed by the version's id. */
export const DataSetVersionDiff = z.object({
  status: DataSetVersionDiffStatus,
  states: z.record(z.string(), DataSetFieldDiffState),
}).openapi("DataSetVersionDiff");
export const DataSetVersionDiffList = z.object({ field_list: z.array(DataSetVersionDiff) })
  .openapi("DataSetVersionDiffList");

export const EnumValue = z.object({
  id: Id,
  name: z.string(),
  description: optional(z.string()),
  modifiable: optional(z.boolean()),
}).openapi("EnumValue");
export const EnumValueList = z.object({ external: z.boolean(), items: z.array(EnumValue) })
  .openapi("EnumValueList");
