import type { Queryable } from "#metadata/postgres/database.ts";
import type { Actor } from "#contract/actor.ts";
import type {
  FacetSpec,
  SearchFamily,
  SearchState,
  SelectedFacet,
} from "#services/api/search/family.ts";
import { matching, owned } from "#services/api/search/matching.ts";
import { Parameters } from "#services/api/search/parameters.ts";
import { chosenIn, idsOf } from "#services/api/search/state.ts";

/** The description of a search as JSON text, all but its id: selected values, counts and totals. */
export async function facetsData(
  db: Queryable,
  family: SearchFamily,
  state: SearchState,
  actor: Actor,
): Promise<string> {
  const p = new Parameters();
  const { counted } = family;
  const { from, where } = matching(family, state, p, {
    except: counted ? [counted.facet] : [],
  });
  const codes = counted ? `${p.bind(idsOf(family, state, counted.facet))}::smallint[]` : "NULL";
  const chosen = counted ? `(${codes} = '{}' OR m.codes && ${codes})` : "true";
  const members = [
    `'query', ${p.bind(state.query)}::text`,
    ...facetState(family, state, codes, p),
    `'total', (SELECT coalesce(sum(count), 0) FROM m WHERE ${chosen})`,
    ...(family.owned
      ? [
        `'my_objects_total', (SELECT coalesce(sum(count), 0) FROM m WHERE mine AND ${chosen})`,
        `'my_objects', ${p.bind(state.my_objects)}::boolean`,
      ]
      : []),
  ];
  const statement = `
    WITH m AS MATERIALIZED (
      SELECT ${counted?.ids ?? "NULL"} AS codes, ${owned(family, actor, p)} AS mine,
             count(*) AS count
        FROM ${from} WHERE ${where} GROUP BY 1, 2)
    SELECT json_build_object(${members.join(",")})::text AS json`;
  return (await db.query<{ json: string }>(statement, p.values))[0]!.json;
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
  return `
    SELECT json_agg(json_build_object('id', n.id, 'name', n.name,
             'count', coalesce(counted.count, 0), 'selected', n.id = ANY(${codes})) ORDER BY n.id)
      FROM (${names}) n
      LEFT JOIN (
        SELECT c.id, sum(m.count) AS count FROM m, unnest(m.codes) AS c (id)
         WHERE m.mine OR NOT ${p.bind(state.my_objects)}::boolean GROUP BY c.id) counted
        ON counted.id = n.id
     WHERE n.id <> ALL(${p.bind(unlessChosen)}::smallint[]) OR n.id = ANY(${codes})`;
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

/** CountableSearchFilter[] of one page as JSON text: values still selectable, most frequent first. */
export async function facetValues(
  db: Queryable,
  family: SearchFamily,
  state: SearchState,
  actor: Actor,
  query: { facet: string; spec: FacetSpec; pattern: string; limit: number; offset: number },
): Promise<string> {
  const p = new Parameters();
  const { from, where } = matching(family, state, p, { except: [query.facet] });
  const { names } = query.spec;
  const mine = state.my_objects ? `AND ${owned(family, actor, p)}` : "";
  const chosen = chosenIn(state, query.facet).map(({ id }) => id);
  const statement = `
    SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'count', count,
             'selected', false) ORDER BY count DESC, name, id), '[]')::text AS json
      FROM (SELECT n.id, n.name, v.count
              FROM (${countsOf(query.spec, from, `${where} ${mine}`)}) v
              JOIN (${names}) n ON n.id = v.value
             WHERE n.id <> ALL(${p.bind(chosen)}::bigint[])
               AND n.name ILIKE ${p.bind(query.pattern)}
             ORDER BY v.count DESC, n.name, n.id
             LIMIT ${p.bind(query.limit)} OFFSET ${p.bind(query.offset)}) shown`;
  return (await db.query<{ json: string }>(statement, p.values))[0]!.json;
}

/** Rows `(value, count)`: of how many of the rows `e` each value is. */
function countsOf({ value, join = "" }: FacetSpec, from: string, where: string): string {
  if (typeof value === "string") {
    return `SELECT ${value} AS value, count(*) AS count FROM ${from} ${join} WHERE ${where} GROUP BY 1`;
  }
  // Going through the index of links in its order takes a fraction of a join.
  const { table, of, to } = value;
  return `
    SELECT value, count(*) AS count
      FROM (SELECT x.${to} AS value FROM ${table} x
             WHERE x.${of} = ANY(ARRAY(SELECT e.id FROM ${from} WHERE ${where}))
             GROUP BY x.${of}, x.${to}) links
     GROUP BY 1`;
}
