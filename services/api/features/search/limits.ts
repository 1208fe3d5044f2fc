import { type Limit, limit } from "#kit/limits.ts";
import { longestQuery, mostChosen } from "./schemas.ts";
import { maxSession } from "./state.ts";
import { lookedThroughInAll } from "./terms.ts";
import { countedCharacters, countedWords } from "./words.ts";

/** As in the database's refresh_search_documents(). */
export const documentBytes = 480_000;

const search = "/api/search";
const ignored = "the rest is not looked for";

/** What a search may cost. */
export const searchLimits: Limit[] = [
  limit(search, "query, UTF-16 units", longestQuery),
  limit(search, "query that counts, UTF-16 units", countedCharacters, ignored),
  limit(search, "words that count", countedWords, ignored),
  limit(search, "values chosen in a session", mostChosen),
  limit(search, "session, UTF-16 units of JSON", maxSession),
  limit(
    "search",
    "text that an entity is found by, bytes of UTF-8: names and sources, then names of columns, owners and " +
      "metadata, then descriptions, then values",
    documentBytes,
    "the last of it is not found; tributary_search_documents_cut counts such entities",
  ),
  limit(
    "highlights of a search",
    "texts looked through, UTF-16 units",
    lookedThroughInAll,
    "the rest is shown without marks, or not at all",
  ),
];
