import { type Limit, limit } from "#kit/limits.ts";
import { longestQuery, mostChosen } from "#services/api/search/forms.ts";
import { mostWeighed, mostWeighedToSuggest } from "#services/api/search/results.queries.ts";
import { maxBytesOfCaller, maxOfCaller } from "#services/api/search/sessions.ts";
import { maxSession } from "#services/api/search/state.ts";
import { lookedThroughInAll } from "#services/api/search/terms.ts";
import {
  countedCharacters,
  countedWords,
  lookedWithin,
  mostAround,
} from "#services/api/search/words.ts";

const search = "searches";
const ignored = "the rest is not looked for";

/** Limits on searches of any family. */
export const searchLimits: Limit[] = [
  limit(search, "query, UTF-16 units", longestQuery),
  limit(search, "query that counts, UTF-16 units", countedCharacters, ignored),
  limit(search, "words that count", countedWords, ignored),
  limit(
    search,
    "words that are looked for within words of names",
    lookedWithin,
    "others are found by their beginnings",
  ),
  limit(
    search,
    "words of names that have one word within them",
    mostAround,
    "the longest are left out",
  ),
  limit(
    search,
    "matches whose words are weighed",
    mostWeighed,
    "others follow by how their names match, then by id; totals and counts are of all",
  ),
  limit(
    search,
    "matches whose words are weighed for suggestions",
    mostWeighedToSuggest,
    "others follow by how their names match, then by id",
  ),
  limit(search, "values chosen in a session", mostChosen),
  limit(search, "sessions of one caller", maxOfCaller, "those used longest ago are removed"),
  limit(
    search,
    "sessions of one caller, bytes of JSON",
    maxBytesOfCaller,
    "those used longest ago are removed",
  ),
  limit(search, "session, UTF-16 units of JSON", maxSession),
  limit(
    "highlights of a search",
    "texts looked through, UTF-16 units",
    lookedThroughInAll,
    "the rest is shown without marks, or not at all",
  ),
];
