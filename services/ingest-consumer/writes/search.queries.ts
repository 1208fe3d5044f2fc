import { statement } from "#metadata/postgres/statement.ts";

/** $1 entities whose searchable words may have changed. */
export const refresh = statement(
  "ingest-refresh-search",
)`SELECT refresh_search_documents($1::bigint[])`;
