import { z } from "@hono/zod-openapi";
import { Namespace, optional, pageOf } from "#contract/catalogue/common.ts";
import { Id, Timestamp } from "#contract/http.ts";

export const TermRef = z.object({
  id: Id,
  name: z.string(),
  definition: z.string(),
  updated_at: optional(Timestamp),
  namespace: Namespace,
}).openapi("TermRef");
export const LinkedTerm = z.object({ term: TermRef, is_description_link: z.boolean() })
  .openapi("LinkedTerm");
export const LinkedTermList = pageOf("LinkedTermList", LinkedTerm);
