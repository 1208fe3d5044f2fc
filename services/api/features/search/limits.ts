import { type Limit, limit } from "#kit/limits.ts";

/** Must equal the limit in the database function search_documents(). */
export const documentBytes = 480_000;

/** PostgreSQL's own: what is longer is in no vector. */
export const wordBytes = 2_046;

/** Limits on how much of an entity can be searched. */
export const entitySearchLimits: Limit[] = [
  limit(
    "search",
    "text that an entity is found by, bytes of UTF-8: names and sources, then names of columns, owners and " +
      "metadata, then descriptions, then values",
    documentBytes,
    "names of columns, owners and metadata are found all the same, by rows of their own; of all else the last is not " +
      "found, and tributary_search_documents_cut counts such entities",
  ),
  limit("search", "a word without marks in it, bytes of UTF-8", wordBytes, "it is not found"),
];
