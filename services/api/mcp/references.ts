import type { z } from "@hono/zod-openapi";
import { badRequest } from "#kit/errors.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { maxCandidates } from "#services/api/mcp/limits.ts";
import { type Entity, nameOf, shownName, typeOf } from "#services/api/mcp/shapes.ts";
import type { ToolContext } from "#services/api/mcp/tool.ts";
import { isSame, lastOf, plainOf, qualifiedText } from "#services/api/search/typed-text.ts";

/** A resolved entity of a tool call. */
export interface ResolvedEntity extends z.output<typeof Entity> {
  /** Only its CATRN is known. */
  hollow: boolean;
}

/** Why a reference means no entity, in words for the assistant. */
export interface Unknown {
  reason: string;
}

/** What each reference means, in their order; two statements for all of them, one when none is a name. */
export async function resolve(
  { context: { db }, ask }: ToolContext,
  refs: readonly (string | number)[],
): Promise<(ResolvedEntity | Unknown)[]> {
  await ask.allowed("getDataEntityList");
  const texts = refs.map(String);
  const ids = texts.map((text) => /^\d{1,15}$/.test(text) ? Number(text) : null);
  const found = byText(texts, await db.query(byKey, [texts, ids]));
  const names = texts.filter((text) => !found.has(text));
  const named = names.length === 0 ? [] : await db.query(byName, [names]);
  const all = new Map([...found, ...byText(names, named)]);
  return texts.map((text) => meant(text, all.get(text) ?? []));
}

function byText(texts: string[], rows: MatchRow[]): Map<string, MatchRow[]> {
  return Map.groupBy(rows, ({ place }) => texts[place - 1]!);
}

/** The entity that an argument names. Throws 400 that says what to give instead. */
export async function entityOf(
  context: ToolContext,
  field: string,
  ref: string | number,
): Promise<ResolvedEntity> {
  const [found] = await resolve(context, [ref]);
  return knownOr(field, found!);
}

/** The entity that was found; otherwise throws 400 with the reason. */
export function knownOr(field: string, found: ResolvedEntity | Unknown): ResolvedEntity {
  if (!("reason" in found)) return found;
  throw badRequest(`${field}: ${found.reason}`, [{ field, message: found.reason }]);
}

function meant(text: string, rows: MatchRow[]): ResolvedEntity | Unknown {
  const [first] = rows;
  if (!first) {
    return {
      reason:
        `${
          quoted(text)
        } is no id, CATRN, exact name or qualified name (schema.table) of an entity; ` +
        "search_catalog finds entities by words",
    };
  }
  const alike = rows.filter(({ how }) => how === first.how);
  if (alike.length > 1) return { reason: ambiguous(text, alike) };
  const { id, catrn, name, type, hollow } = first;
  return { id, catrn, name: shownName(name), type, hollow };
}

function ambiguous(text: string, rows: MatchRow[]): string {
  const shown = rows.slice(0, maxCandidates).map(({ id, type, data_source, catrn }) =>
    `${id} (${type ?? "unknown type"}${
      data_source ? ` of ${shownName(data_source)}` : ""
    }, ${catrn})`
  );
  const more = rows.length > maxCandidates ? ", and more" : "";
  return `${
    quoted(text)
  } is the name of several entities; give the id, the CATRN or a longer qualified name of one: ` +
    shown.join(", ") + more;
}

const quoted = (text: string) => JSON.stringify(shownName(text));

/** An entity that a reference may mean. */
interface MatchRow extends ResolvedEntity {
  /** Which of the references, from 1. */
  place: number;
  /**
   * 1: it is the id, 2: the CATRN, 3: the exact name, 4: the name in other letter case, 5: a qualified name (`hr.orders`),
   * 6: one with a dot in the name (`prod.orders.v1`).
   */
  how: number;
  data_source: string | null;
}

/** To follow `WITH found (place, how, id)`. */
const shown = `
  SELECT f.place::int AS place, f.how, e.id, e.catrn, ${nameOf("e")} AS name, ${
  typeOf("e")
} AS type,
         e.hollow, s.name AS data_source
    FROM found f JOIN data_entity e ON e.id = f.id LEFT JOIN data_source s ON s.id = e.data_source_id
   ORDER BY f.place, f.how, e.id`;

/** What the references $1 are the id or the CATRN of; $2 those of them that are ids, null for others. */
const byKey = statement<MatchRow>("mcp-references-by-key")`
  WITH asked AS (
    SELECT ref, id, place FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS a (ref, id, place)),
  found AS (
    SELECT a.place, 1 AS how, e.id FROM asked a JOIN data_entity e ON e.id = a.id
     UNION ALL
    SELECT a.place, 2, e.id FROM asked a JOIN data_entity e ON e.catrn = a.ref)
  ${shown}`;

// Made once for each reference: a function of a row would be called for each document.
const referencesSql = `
  SELECT ref, place, search_query(ref) AS query,
         ${plainOf("ref")} AS words, ${
  lastOf("ref")
} AS last, ref ~ '${qualifiedText.source}' AS qualified
    FROM unnest($1::text[]) WITH ORDINALITY AS a (ref, place)`;

const isNamed = `(${isSame(["a.ref"], ["e.external_name", "e.internal_name"])})`;

/** The live entities that have one of the names $1, whatever its letter case; exact ones first, qualified ones last. */
const byName = statement<MatchRow>("mcp-references-by-name")`
  WITH asked AS MATERIALIZED (${referencesSql}),
  found AS MATERIALIZED (
    SELECT a.place, n.how, n.id FROM asked a CROSS JOIN LATERAL (
      SELECT e.id, CASE WHEN a.ref IN (e.external_name, e.internal_name) THEN 3
                        WHEN ${isNamed} THEN 4 WHEN d.name = a.last THEN 5 ELSE 6 END AS how
        FROM search_document d JOIN data_entity e ON e.id = d.entity_id
       WHERE d.vector @@ a.query
         AND CASE WHEN d.names @@ a.query AND ${isNamed} THEN true
                  WHEN a.qualified AND search_before(a.words, d.name) IS NOT NULL
                  THEN search_leads(search_before(a.words, d.name), search_context(e.id)) END
         AND NOT e.hollow AND is_live(e.status)
       ORDER BY how, e.id LIMIT ${maxCandidates + 1}) n)
  ${shown}`;

/** Where people see an entity. */
export function entityUrl({ baseUrl }: Pick<Context, "baseUrl">, id: number): string {
  return `${baseUrl().replace(/\/$/, "")}/dataentities/${id}`;
}
