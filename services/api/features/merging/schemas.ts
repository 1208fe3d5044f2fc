import { z } from "@hono/zod-openapi";
import { PageInfo } from "#contract/http.ts";

/** What names are of. */
export const nameKinds = ["NAMESPACE", "OWNER", "TAG", "TERM"] as const;

const Spelling = z.object({ id: z.number().int(), name: z.string() }).openapi("NameSpelling");

/** A name and what was merged into it. */
export const MergedName = z.object({
  id: z.number().int(),
  name: z.string(),
  merged: z.array(Spelling),
}).openapi("MergedName");

/** Several stored spellings of one name; of terms, `name` is `namespace:term`. */
const DuplicateName = z.object({
  kind: z.enum(nameKinds),
  spellings: z.array(Spelling),
}).openapi("DuplicateName");

export const DuplicateNameList = z.object({ items: z.array(DuplicateName), page_info: PageInfo })
  .openapi("DuplicateNameList");
