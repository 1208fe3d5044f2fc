import type { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import type { Context } from "#platform/context.ts";

/** A selected facet value; `name` is the client's name for it, used when the value no longer exists. */
export interface SelectedFacet {
  id: number;
  name: string | null;
}

/** The state of a search session. */
export interface SearchState {
  query: string;
  my_objects: boolean;
  /** By facet; absent for a facet without selections. */
  filters: ReadonlyMap<string, SelectedFacet[]>;
}

/** A table of links; a link may be there more than once. */
interface FacetLinks {
  table: string;
  /** The column with ids of `e`. */
  of: string;
  /** The column with ids of values. */
  to: string;
}

/** The SQL of one facet. */
export interface FacetSpec {
  /** The condition that row `e` has one of the ids in the parameter `ids`. */
  holds: (ids: string) => string;
  /** Joins what `value` needs to row `e`. */
  join?: string;
  /** The id of a value of `e`, null when it has none; or the table that links the ids of `e` with those of values. */
  value: string | FacetLinks;
  /** Rows `(id, name)` of all values that can be selected. */
  names: string;
  /** Whether the ids are two-byte codes (smallint). */
  small?: boolean;
}

/** How rows that were found become an answer. */
interface Answer<Found> {
  schema: z.ZodType;
  /** SQL of the answer's JSON. */
  json: (found: Found, parameters: Parameters, context: Pick<Context, "config">) => string;
}

/** Rows that were found, as SQL: an array of their ids in the order of the answer. */
interface MatchedRows {
  ids: string;
}

/** A page of them, with the total (and whether it is a minimum) and whether more follow. */
interface MatchedPage extends MatchedRows {
  total: string;
  isMinimum: string;
  hasNext: string;
}

/** The best matches of the typed text. */
export interface SuggestionSpec extends Answer<MatchedRows> {
  /** How many are suggested. */
  max: number;
  /** Additional query parameters, and the conditions on `e` that they add. */
  narrowed?: {
    by: Record<string, z.ZodType>;
    holds: (query: Record<string, unknown>, parameters: Parameters) => string[];
  };
}

/**
 * A kind of things with its own search. Sessions, facets, results and suggestions are built from
 * this description. Its SQL calls a row `e`.
 */
export interface SearchFamily {
  /** The name under which its sessions are stored. */
  name: string;
  /** Prefix of its published schema names: `Term` of `TermSearchFormData`. */
  schemas: string;
  tag: string;
  /** The path that starts a search, such as `/api/terms/search`; the other paths are below it. */
  path: string;
  /** The published ids of its operations. */
  operations: {
    start: string;
    read: string;
    change: string;
    results: string;
    /** Absent without facets, or without suggestions. */
    facet?: string;
    suggestions?: string;
  };
  /** The table of the things, with the key `id`. */
  table: string;
  /** The table of search documents, with the column `vector` and a column that refers to `id`. */
  document: {
    table: string;
    key: string;
    /**
     * Documents are of listed rows only, and have copies of all columns that conditions and facets ask of `e`: where words
     * are searched, `e` is the document.
     */
    complete?: true;
    /** The name of `e` as `search_name` gives it; names that begin with what was typed come first. */
    name?: string;
    /** There is an index of beginnings of names. */
    nameIndex?: true;
    /** The condition that the name of `e` is one of these texts, but for letter case. */
    same?: (typed: string[]) => string;
    /** What `e` is in, as a text; a name that is typed with it comes first. */
    context?: string;
    /** The SQL of an array of further keys: of rows with more words than `vector` holds, in which the typed ones are. */
    wide?: (typed: string) => string;
    /** A vector of the words of names; those whose names have all typed words come before others. */
    names?: string;
  };
  /** SQL of how often the row `id` is used; of matches whose names match alike, what is used more comes first. */
  usage?: (id: string) => string;
  /** A column whose exact value finds the row, although search documents do not contain it. */
  exact?: { column: string; looksLike: (typed: string) => boolean };
  /** Conditions for rows to be found at all. */
  listed?: readonly string[];
  /** Conditions for rows to be shown in a search, without those that facets in `except` would add. */
  shown: (state: SearchState, except: readonly string[]) => string[];
  /** The condition that an actor owns `e`; present where `my_objects` is supported. */
  owned?: (actor: Actor, parameters: Parameters) => string;
  /** By their names in forms and paths. */
  facets: ReadonlyMap<string, FacetSpec>;
  /** Further values of `facet_type` that are published for every family; of those this one has nothing to offer. */
  emptyFacets?: readonly string[];
  /** The facet (with two-byte codes) for which a search counts every value, selected or not. */
  counted?: {
    facet: string;
    /** The codes of `e`, as an array. */
    ids: string;
    /** Codes that are excluded unless selected. */
    unlessChosen: readonly number[];
  };
  /** How many matches are counted and ranked, where it is not as usual. */
  bounds?: SearchBounds;
  results: Answer<MatchedPage>;
  suggestions?: SuggestionSpec;
}

/** How much of what matches a search reads. Reading all matches of a frequent word takes seconds in a large catalogue. */
export interface SearchBounds {
  /** Matches that are counted. */
  counted: number;
  /** Matches among which the best are looked for; fewer than are counted, since comparing names takes longer. */
  ranked: number;
}

export const searchBounds: SearchBounds = { counted: 10_000, ranked: 5_000 };

/** Those of a family. */
export function boundsOf({ bounds = searchBounds }: { bounds?: SearchBounds }): SearchBounds {
  return bounds;
}

/** Collects the bound values of a statement that is composed from fragments. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value; returns its placeholder, such as `$3`. */
  bind(value: unknown): `$${number}` {
    return `$${this.values.push(value)}`;
  }
}
