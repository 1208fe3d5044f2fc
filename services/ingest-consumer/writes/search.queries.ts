import { statement } from "#metadata/postgres/statement.ts";

/** $1 entities whose searchable words may have changed. */
export const refresh = statement(
  "ingest-refresh-search",
)`SELECT refresh_search_documents($1::bigint[])`;

/**
 * $1 entities that this transaction inserted, $2 their words, $3 tags, $4 their names as they were looked up. `written` is
 * false when a tag has another name by now.
 * $5 words of names whose parts are found.
 */
export const insert = statement<{ written: boolean }>("ingest-insert-search")`
  SELECT insert_search_documents($1::bigint[], $2::tsvector[], $3::bigint[], $4::text[], $5::text[])
    AS written`;
