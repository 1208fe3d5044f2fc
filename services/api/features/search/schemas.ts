import { z } from "@hono/zod-openapi";
import { MetadataFieldValue, optional, TagList } from "#contract/catalogue/common.ts";

const text = optional(z.string());
/** The matching texts of an entity as HTML: matches in `<b>`, everything else escaped. */
export const DataEntitySearchHighlight = z.object({
  data_entity: optional(
    z.object({
      external_name: text,
      external_description: text,
      internal_name: text,
      internal_description: text,
    }).openapi("DataEntityHighlight"),
  ),
  data_source: optional(z.object({ name: text, catrn: text }).openapi("DataSourceHighlight")),
  namespace: optional(z.object({ name: text }).openapi("NamespaceHighlight")),
  tags: optional(TagList),
  owners: optional(z.array(z.object({ owner: text, title: text }).openapi("OwnershipHighlight"))),
  terms: optional(z.array(z.object({ name: text }).openapi("TermHighlight"))),
  metadata: optional(z.array(MetadataFieldValue)),
  dataset_structure: optional(z.array(
    z.object({
      name: text,
      internal_description: text,
      external_description: text,
      tags: optional(TagList),
    }).openapi("DataSetStructureHighlight"),
  )),
}).openapi("DataEntitySearchHighlight");
