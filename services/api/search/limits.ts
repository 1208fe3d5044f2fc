import { type Limit, limit } from "#kit/limits.ts";
import { searchBounds } from "#services/api/search/family.ts";
import { longestQuery, maxChosen } from "#services/api/search/operations.ts";
import { maxWeighed, maxWeighedToSuggest } from "#services/api/search/results.queries.ts";
import { maxBytesOfCaller, maxOfCaller, maxSession } from "#services/api/search/sessions.ts";
import {
  countedCharacters,
  countedWords,
  maxAround,
  maxScannedInTotal,
  scanWindow,
} from "#services/api/search/words.ts";

const search = "searches";
const ignored = "the rest is ignored";

/** Limits on searches of any family. */
export const searchLimits: Limit[] = [
  limit(search, "query, UTF-16 units", longestQuery),
  limit(search, "part of the query that is searched, UTF-16 units", countedCharacters, ignored),
  limit(search, "words that are searched", countedWords, ignored),
  limit(
    search,
    "words that are also searched inside words of names",
    scanWindow,
    "the others match beginnings of words only",
  ),
  limit(
    search,
    "words of names that contain one word",
    maxAround,
    "the longest are left out",
  ),
  limit(
    search,
    "matches whose words are weighed",
    maxWeighed,
    "others follow by how their names match, then by id",
  ),
  limit(
    search,
    "matches that are counted",
    searchBounds.counted,
    "totals and counts are minimums and say so",
  ),
  limit(
    search,
    "matches among which the best are looked for",
    searchBounds.ranked,
    "as many that are named like the text, or have its words in their names, are looked at all the same, and later pages " +
      "list all",
  ),
  limit(
    search,
    "matches whose words are weighed for suggestions",
    maxWeighedToSuggest,
    "others follow by how their names match, then by id",
  ),
  limit(search, "values chosen in a session", maxChosen),
  limit(search, "sessions of one caller", maxOfCaller, "the least recently used are removed"),
  limit(
    search,
    "sessions of one caller, bytes of JSON",
    maxBytesOfCaller,
    "the least recently used are removed",
  ),
  limit(search, "session, UTF-16 units of JSON", maxSession),
  limit(
    "highlights of a search",
    "texts searched for highlights, UTF-16 units",
    maxScannedInTotal,
    "the rest is shown without marks, or not at all",
  ),
];
