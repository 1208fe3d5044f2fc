import { z } from "@hono/zod-openapi";
import { DataSource, optional, pageOf } from "#contract/catalogue/common.ts";
import { DataSetFieldType, fieldNature } from "#contract/catalogue/dataset.ts";
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
  ...fieldNature,
  dataEntityName: optional(z.string()),
  dataEntityId: optional(Id),
  ownership: optional(OwnershipList),
  data_source: optional(DataSource),
}).openapi("TermSearchDataSetField");
export const DatasetFieldList = pageOf("DatasetFieldList", TermSearchDataSetField);
