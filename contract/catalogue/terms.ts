import { z } from "@hono/zod-openapi";
import { Int, Namespace, optional, pageOf, TagList } from "#contract/catalogue/common.ts";
import { OwnershipList } from "#contract/catalogue/people.ts";
import { Id, Timestamp } from "#contract/http.ts";

export const TermRef = z.object({
  id: Id,
  name: z.string(),
  definition: z.string(),
  updated_at: optional(Timestamp),
  namespace: Namespace,
}).openapi("TermRef");
export const TermRefList = pageOf("TermRefList", TermRef);

export const LinkedTerm = z.object({ term: TermRef, is_description_link: z.boolean() })
  .openapi("LinkedTerm");
export const LinkedTermList = pageOf("LinkedTermList", LinkedTerm);

/** The counts are the totals of the lists of what is linked with the term. */
export const Term = TermRef.extend({
  ownership: optional(OwnershipList),
  entities_using_count: optional(Int),
  columns_using_count: optional(Int),
  linked_terms_using_count: optional(Int),
  query_example_using_count: optional(Int),
  created_at: Timestamp,
  updated_at: Timestamp,
}).openapi("Term");
export const TermList = pageOf("TermList", Term);

/** `terms`: the first 1,000 of `linked_terms_using_count`. */
export const TermDetails = Term.extend({
  tags: optional(TagList),
  terms: optional(z.array(LinkedTerm)),
}).openapi("TermDetails");
