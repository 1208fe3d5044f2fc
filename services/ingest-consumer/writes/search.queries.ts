import { statement } from "#metadata/postgres/statement.ts";

/**
 * $1 entities whose searchable words may have changed, $2 words of names whose parts are found, $3 names from which such
 * words are still to be taken.
 */
export const refresh = statement("ingest-refresh-search")`
  SELECT rewrite_search_documents($1::bigint[]),
         search_learn($2::text[] || ARRAY(SELECT search_stems($3::text[])))`;

/**
 * $1 entities that this transaction inserted, $2 their words, $3 tags, $4 their names as they were looked up. `written` is
 * false when a tag has another name by now.
 * $5 words of names whose parts are found.
 */
export const insert = statement<{ written: boolean }>("ingest-insert-search")`
  SELECT insert_search_documents($1::bigint[], $2::tsvector[], $3::bigint[], $4::text[], $5::text[])
    AS written`;
