import { badRequest } from "#kit/errors.ts";
import { maxCandidates } from "#services/api/mcp/limits.ts";
import { findByKey, findByName, type MatchRow } from "#services/api/mcp/references.queries.ts";
import { shownName } from "#services/api/mcp/shapes.ts";
import type { ToolContext } from "#services/api/mcp/tool.ts";

/** A resolved entity of a tool call. */
export interface ResolvedEntity {
  id: number;
  catrn: string;
  name: string;
  type: string | null;
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
  const found = byText(texts, await findByKey(db, texts, ids));
  const names = texts.filter((text) => !found.has(text));
  const named = names.length === 0 ? [] : await findByName(db, names);
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
