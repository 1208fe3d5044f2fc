import { z } from "@hono/zod-openapi";
import { DataSource, optional, pageOf } from "#contract/catalogue/common.ts";
import { DataSetFieldType } from "#contract/catalogue/dataset.ts";
import { OwnershipList } from "#contract/catalogue/people.ts";
import { Id } from "#contract/http.ts";

/** A column that is linked with a term, with the dataset that it is of and who owns that. */
export const TermSearchDataSetField = z.object({
  id: Id,
  parent_field_id: optional(Id),
  catrn: z.string(),
  name: z.string(),
  internal_name: optional(z.string()),
  type: DataSetFieldType,
  is_key: optional(z.boolean()),
  is_value: optional(z.boolean()),
  is_primary_key: optional(z.boolean()),
  is_sort_key: optional(z.boolean()),
  default_value: optional(z.string()),
  external_description: optional(z.string()),
  internal_description: optional(z.string()),
  dataEntityName: optional(z.string()),
  dataEntityId: optional(Id),
  ownership: optional(OwnershipList),
  data_source: optional(DataSource),
}).openapi("TermSearchDataSetField");
export const DatasetFieldList = pageOf("DatasetFieldList", TermSearchDataSetField);
