import type { Queryable } from "#metadata/postgres/database.ts";
import type { Actor } from "#contract/actor.ts";
import { containsPattern } from "#contract/catalogue/inputs.ts";
import {
  boundsOf,
  type FacetSpec,
  Parameters,
  type SearchFamily,
  type SearchState,
  type SelectedFacet,
} from "#services/api/search/family.ts";
import { matching, owned } from "#services/api/search/matching.ts";
import { chosenIn, idsOf } from "#services/api/search/sessions.ts";

/**
 * The description of a search as JSON text, all but its id: selected values, counts and totals. Where more match than are
 * counted, they are minimums and say so; what the caller owns is always counted whole.
 */
export async function facetsData(
  db: Queryable,
  family: SearchFamily,
  state: SearchState,
  actor: Actor,
): Promise<string> {
  const p = new Parameters();
  const { counted } = family;
  const max = boundsOf(family).counted;
  const { from, where } = matching(family, state, p, {
    except: counted ? [counted.facet] : [],
  });
  const codes = counted ? `${p.bind(idsOf(family, state, counted.facet))}::smallint[]` : "NULL";
  const chosen = counted ? `(${codes} = '{}' OR codes && ${codes})` : "true";
  const ids = counted?.ids ?? "NULL";
  const members = [
    `'query', ${p.bind(state.query)}::text`,
    ...facetState(family, state, codes, p),
    `'total', (SELECT least(n, ${max}) FROM total)`,
    `'total_is_minimum', (SELECT n > ${max} FROM total)`,
    ...(family.owned
      ? [
        `'my_objects_total', (SELECT coalesce(sum(count), 0) FROM own WHERE ${chosen})`,
        `'my_objects', ${p.bind(state.my_objects)}::boolean`,
      ]
      : []),
  ];
  const mine = owned(family, actor, p);
  const statement = `
    WITH m AS MATERIALIZED (
      SELECT codes, mine, count(*) AS count
        FROM (SELECT ${ids} AS codes, ${mine} AS mine
                FROM ${from} WHERE ${where} LIMIT ${max + 1}) found GROUP BY 1, 2),
    many AS MATERIALIZED (SELECT coalesce(sum(count), 0) > ${max} AS so FROM m),
    own AS MATERIALIZED (
      SELECT codes, count FROM m WHERE mine AND NOT (SELECT so FROM many)
       UNION ALL
      SELECT ${ids}, count(*) FROM ${from}
       WHERE (SELECT so FROM many) AND ${where} AND ${mine} GROUP BY 1),
    total AS MATERIALIZED (
      SELECT CASE WHEN (SELECT so FROM many) THEN (${countAmongMany(family, state, p, max)})
             ELSE (SELECT coalesce(sum(count), 0) FROM m WHERE ${chosen}) END AS n)
    SELECT json_build_object(${members.join(",")})::text AS json`;
  return (await db.query<{ json: string }>(statement, p.values))[0]!.json;
}

/** How many match where more do than are counted; with a selection in the counted facet, of what that leaves. */
function countAmongMany(
  family: SearchFamily,
  state: SearchState,
  p: Parameters,
  max: number,
): string {
  const { counted } = family;
  if (!counted || idsOf(family, state, counted.facet).length === 0) return `SELECT ${max + 1}`;
  const { from, where } = matching(family, state, p);
  return `SELECT count(*) FROM (SELECT FROM ${from} WHERE ${where} LIMIT ${max + 1}) narrowed`;
}

/** The member `facet_state`; absent for a family without facets. */
function facetState(
  family: SearchFamily,
  state: SearchState,
  codes: string,
  p: Parameters,
): string[] {
  const { facets, counted } = family;
  if (facets.size === 0) return [];
  const values = [...facets].map(([facet, spec]) => {
    const shown = facet === counted?.facet
      ? countedValues(spec, counted.unlessChosen, state, codes, p)
      : chosenValues(spec, chosenIn(state, facet), p);
    return `'${facet}', (${shown})`;
  });
  return [`'facet_state', json_build_object(${values.join(",")})`];
}

/** Every value of the counted facet, counted as if none were selected in it. */
function countedValues(
  { names }: FacetSpec,
  unlessChosen: readonly number[],
  state: SearchState,
  codes: string,
  p: Parameters,
): string {
  const [rows, isMinimum] = state.my_objects ? ["own", "false"] : ["m", "(SELECT so FROM many)"];
  const value = countable({
    id: "n.id",
    count: "coalesce(counted.count, 0)",
    selected: `n.id = ANY(${codes})`,
    isMinimum,
  });
  return `
    SELECT json_agg(${value} ORDER BY n.id)
      FROM (${names}) n
      LEFT JOIN (
        SELECT c.id, sum(r.count) AS count FROM ${rows} r, unnest(r.codes) AS c (id)
         GROUP BY c.id) counted
        ON counted.id = n.id
     WHERE n.id <> ALL(${p.bind(unlessChosen)}::smallint[]) OR n.id = ANY(${codes})`;
}

/** SQL of a CountableSearchFilter of the row `n`; a minimum is marked as such. */
function countable(
  { id, count, selected, isMinimum }: Record<"id" | "count" | "selected" | "isMinimum", string>,
): string {
  const members = `'id', ${id}, 'name', n.name, 'count', ${count}, 'selected', ${selected}`;
  return `CASE WHEN ${isMinimum} THEN json_build_object(${members}, 'count_is_minimum', true)
          ELSE json_build_object(${members}) END`;
}

/** The selected values of a facet, with their current names. */
function chosenValues({ names }: FacetSpec, chosen: SelectedFacet[], p: Parameters): string {
  // Most searches have none, and each sub-select is planned again with every search.
  if (chosen.length === 0) return "'[]'::json";
  const chosenJson = p.bind(JSON.stringify(chosen));
  return `
    SELECT json_agg(json_build_object('id', f.id,
             'name', coalesce(n.name, f.name, f.id::text)) ORDER BY f.id)
      FROM jsonb_to_recordset(${chosenJson}::jsonb) AS f (id bigint, name text)
      LEFT JOIN (${names}) n ON n.id = f.id`;
}

/** A page of the values of a facet. */
interface WantedValues {
  facet: string;
  spec: FacetSpec;
  /** What names of values contain; empty: whatever they are. */
  name: string;
  limit: number;
  offset: number;
}

/**
 * CountableSearchFilter[] of one page as JSON text: values still selectable, most frequent first. Where more match than are
 * counted and no name is asked for, the values are those of the matches that are counted; of a small facet they are all.
 */
export async function facetValues(
  db: Queryable,
  family: SearchFamily,
  state: SearchState,
  actor: Actor,
  { facet, spec, name, limit, offset }: WantedValues,
): Promise<string> {
  const p = new Parameters();
  const max = boundsOf(family).counted;
  const { from, where } = matching(family, state, p, { except: [facet] });
  const mine = state.my_objects ? `AND ${owned(family, actor, p)}` : "";
  const isBounded = name === "" && !state.my_objects;
  const never = family.counted?.facet === facet ? family.counted.unlessChosen : [];
  const hidden = [...chosenIn(state, facet).map(({ id }) => id), ...never];
  const value = countable({
    id: "n.id",
    count: "n.count",
    selected: "false",
    isMinimum: "(SELECT so FROM many)",
  });
  // Of links, the ids of what matches; else the values themselves.
  const read = typeof spec.value === "string"
    ? { value: spec.value, join: spec.join ?? "" }
    : { value: "e.id", join: "" };
  const statement = `
    WITH found AS MATERIALIZED (
      SELECT ${read.value} AS value FROM ${from} ${read.join} WHERE ${where} ${mine} LIMIT ${
    isBounded ? max + 1 : "ALL"
  }),
    many AS MATERIALIZED (SELECT ${isBounded} AND count(*) > ${max} AS so FROM found)
    SELECT coalesce(json_agg(${value} ORDER BY n.count DESC, n.name, n.id), '[]')::text AS json
      FROM (SELECT n.id, n.name, coalesce(v.count, 0) AS count
              FROM (${spec.names}) n ${spec.small ? "LEFT" : "INNER"} JOIN (${countsOf(spec)}) v
                ON v.value = n.id
             WHERE n.id <> ALL(${p.bind(hidden)}::bigint[])
               AND n.name ILIKE ${p.bind(containsPattern(name))}
               AND (v.count > 0 OR (SELECT so FROM many))
             ORDER BY 3 DESC, n.name, n.id
             LIMIT ${p.bind(limit)} OFFSET ${p.bind(offset)}) n`;
  return (await db.query<{ json: string }>(statement, p.values))[0]!.json;
}

/** Rows `(value, count)`: of how many of the matches `found` each value is. */
function countsOf({ value }: FacetSpec): string {
  if (typeof value === "string") return "SELECT value, count(*) AS count FROM found GROUP BY 1";
  // Going through the index of links in its order takes a fraction of a join.
  const { table, of, to } = value;
  return `
    SELECT value, count(*) AS count
      FROM (SELECT x.${to} AS value FROM ${table} x
             WHERE x.${of} = ANY(ARRAY(SELECT value FROM found)) GROUP BY x.${of}, x.${to}) links
     GROUP BY 1`;
}
