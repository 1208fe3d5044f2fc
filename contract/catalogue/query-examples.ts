import { z } from "@hono/zod-openapi";
import { pageOf } from "#contract/catalogue/common.ts";
import { Id } from "#contract/http.ts";

export const QueryExampleRef = z.object({ id: Id, definition: z.string(), query: z.string() })
  .openapi("QueryExampleRef");
export const QueryExampleRefList = pageOf("QueryExampleRefList", QueryExampleRef);
