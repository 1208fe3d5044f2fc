import type { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import type { Context } from "#platform/context.ts";
import type { Parameters } from "#services/api/search/parameters.ts";

/** A value chosen in a facet; `name` is what the client called it, for when it is gone. */
export interface Chosen {
  id: number;
  name: string | null;
}

/** What a search session keeps. */
export interface SearchState {
  query: string;
  my_objects: boolean;
  /** By facet; none for one in which nothing was ever chosen. */
  filters: ReadonlyMap<string, Chosen[]>;
}

/** How one facet is asked of PostgreSQL. */
export interface FacetSpec {
  /** Condition on a row `e` that it has one of the ids in the parameter `ids`. */
  holds: (ids: string) => string;
  /** Joins what a row `e` has in this facet, as alias `x`, each value once. */
  join?: string;
  /** The id of a value that `e` has; null when it has none. */
  value: string;
  /** Rows `(id, name)` of everything that can be chosen. */
  names: string;
  /** The ids are codes of two bytes. */
  small?: boolean;
}

/** What answers hold of the rows that were found. */
export interface Answer<Found> {
  schema: z.ZodType;
  /** SQL of the answer's JSON. */
  json: (found: Found, parameters: Parameters, context: Pick<Context, "config">) => string;
}

/** Rows that were found, as SQL: an array of their ids, in the order of the answer. */
export interface FoundRows {
  ids: string;
}

/** A page of them: how many there are in all, and whether more follow. */
export interface FoundPage extends FoundRows {
  total: string;
  hasNext: string;
}

/** The five best matches of what is typed. */
export interface SuggestionSpec extends Answer<FoundRows> {
  /** Further query parameters, and the conditions on `e` that they make. */
  narrowed?: {
    by: Record<string, z.ZodType>;
    holds: (query: Record<string, unknown>, parameters: Parameters) => string[];
  };
}

/**
 * One kind of things that are searched alike: sessions, facets, results and suggestions follow from
 * this description. SQL in it speaks of a row as `e`.
 */
export interface SearchFamily {
  /** What its sessions are kept under. */
  name: string;
  /** What the names of its schemas begin with, as published: `Term` of `TermSearchFormData`. */
  schemas: string;
  tag: string;
  /** Where it is started, such as `/api/terms/search`; the other paths lie below. */
  path: string;
  /** Ids of its operations, as published. */
  operations: {
    start: string;
    read: string;
    change: string;
    results: string;
    /** Left out where there are no facets, or no suggestions. */
    facet?: string;
    suggestions?: string;
  };
  /** The table of what is found, with the key `id`. */
  table: string;
  /** The table with the column `vector` by which it is found, and the column that refers to `id`. */
  document: { table: string; key: string };
  /** A column by which whoever types the whole of it finds the row, though no document holds it. */
  exact?: { column: string; looksLike: (typed: string) => boolean };
  /** What rows have to be to be found, but for what the facets in `except` would ask of them. */
  shown: (state: SearchState, except: readonly string[]) => string[];
  /** The condition that an actor owns `e`; set where `my_objects` can be asked for. */
  owned?: (actor: Actor, parameters: Parameters) => string;
  /** By the names that they have in forms and paths. */
  facets: ReadonlyMap<string, FacetSpec>;
  /** The facet (of codes of two bytes) of which a search counts every value, chosen or not. */
  counted?: {
    facet: string;
    /** The codes that `e` has, as an array. */
    ids: string;
    /** Codes that are left out unless they are chosen. */
    unlessChosen: readonly number[];
  };
  results: Answer<FoundPage>;
  suggestions?: SuggestionSpec;
}
