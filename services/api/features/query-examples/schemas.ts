import { z } from "@hono/zod-openapi";
import { Id } from "#contract/http.ts";
import { givenText } from "#contract/text.ts";

/** Longest text that says what a query is for, and longest query, in UTF-16 units. */
export const maxDefinition = 10_000;
export const maxQuery = 30_000;

/** Most data entities, and most terms, that a query example is attached to; most that one of them has. */
export const maxLinks = 100;

export const QueryExampleForm = z.object({
  definition: givenText({ min: 1, max: maxDefinition }),
  query: givenText({ min: 1, max: maxQuery }),
}).openapi("QueryExampleFormData");
export type QueryExampleForm = z.output<typeof QueryExampleForm>;

export const EntityLinkForm = z.object({ query_example_id: Id })
  .openapi("DataEntityQueryExampleFormData");
export const TermLinkForm = z.object({ query_example_id: Id }).openapi("QueryExampleTermFormData");
