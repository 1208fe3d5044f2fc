import { type Limit, limit } from "#kit/limits.ts";
import { longestQuery, mostChosen } from "./schemas.ts";
import { maxSession } from "./state.ts";
import { lookedThroughInAll } from "./terms.ts";
import { countedCharacters, countedWords } from "./words.ts";

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
    "highlights of a search",
    "texts looked through, UTF-16 units",
    lookedThroughInAll,
    "the rest is shown without marks, or not at all",
  ),
];
