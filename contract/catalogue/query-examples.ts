import { z } from "@hono/zod-openapi";
import { pageOf } from "#contract/catalogue/common.ts";
import { DataEntityRefList } from "#contract/catalogue/entity-ref.ts";
import { DataEntityList } from "#contract/catalogue/entity.ts";
import { LinkedTermList } from "#contract/catalogue/terms.ts";
import { Id, Timestamp } from "#contract/http.ts";

/** `definition` says what a query is for; there is no other name. */
const members = { id: Id, definition: z.string(), query: z.string() };

export const QueryExampleRef = z.object(members).openapi("QueryExampleRef");
export const QueryExampleRefList = pageOf("QueryExampleRefList", QueryExampleRef);

/** Deleted data entities are left out; they come back when they are restored. */
export const QueryExample = z.object({
  ...members,
  linked_entities: DataEntityRefList,
  linked_terms: LinkedTermList,
}).openapi("QueryExample");
export const QueryExampleList = pageOf("QueryExampleList", QueryExample);

export const QueryExampleDetails = z.object({
  ...members,
  linked_entities: DataEntityList,
  linked_terms: LinkedTermList,
  created_at: Timestamp,
  updated_at: Timestamp,
}).openapi("QueryExampleDetails");
