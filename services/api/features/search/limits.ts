import { type Limit, limit } from "#kit/limits.ts";

/** Must equal the limit in the database function search_documents(). */
export const documentBytes = 480_000;

/** Limits on how much of an entity can be searched. */
export const entitySearchLimits: Limit[] = [
  limit(
    "search",
    "text that an entity is found by, bytes of UTF-8: names and sources, then names of columns, owners and " +
      "metadata, then descriptions, then values",
    documentBytes,
    "the last of it is not found; tributary_search_documents_cut counts such entities",
  ),
];
