import { statement } from "../statement.ts";

/** $1 entities whose words may have changed. */
export const refresh = statement(
  "refresh-search",
  "SELECT refresh_search_documents($1::bigint[])",
);
