import { z } from "@hono/zod-openapi";
import { Int, optional, pageOf } from "#contract/catalogue/common.ts";
import { entityClassNames, entityStatusNames, entityTypeNames } from "#contract/entities.ts";
import { Id, Timestamp } from "#contract/http.ts";

const DataEntityTypeName = z.enum(entityTypeNames);
export const DataEntityType = z.object({ id: Int, name: DataEntityTypeName })
  .openapi("DataEntityType");
export const DataEntityTypeList = z.array(DataEntityType).openapi("DataEntityTypeList");

const DataEntityClassName = z.enum(entityClassNames);
/** A class, with all entity types that may have it. */
export const DataEntityClass = z.object({
  id: Int,
  name: DataEntityClassName,
  types: z.array(DataEntityType),
}).openapi("DataEntityClass");

export const DataEntityStatusEnum = z.enum(entityStatusNames).openapi("DataEntityStatusEnum");
export const DataEntityStatus = z.object({
  status: DataEntityStatusEnum,
  status_switch_time: optional(Timestamp),
}).openapi("DataEntityStatus");

/** A reference to an entity. A hollow entity (known only by its CATRN) has empty names and classes. */
export const DataEntityRef = z.object({
  id: Id,
  catrn: optional(z.string()),
  entity_classes: optional(z.array(DataEntityClass)),
  internal_name: optional(z.string()),
  external_name: optional(z.string()),
  url: optional(z.string()),
  has_alerts: optional(z.boolean()),
  manually_created: optional(z.boolean()),
  status: DataEntityStatus,
  is_stale: z.boolean(),
}).openapi("DataEntityRef");
export const DataEntityRefList = z.array(DataEntityRef).openapi("DataEntityRefList");
export const DataEntityRefPage = pageOf("DataEntityRefPage", DataEntityRef);
