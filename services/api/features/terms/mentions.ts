import { badRequest, hasDependants } from "#kit/errors.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** A term that a text names as `[[namespace:term]]`. */
interface Mention {
  namespace: string;
  name: string;
}

/** Most different terms that one text may mention. */
export const maxMentions = 500;

/** Longest name of a namespace or a term, in UTF-16 units. */
const longestName = 255;

/**
 * The terms that a text mentions, each once, in the order of the text. The namespace ends at the first colon; blanks
 * around either name do not count. Brackets, line breaks and names longer than 255 characters make no mention.
 */
export function mentionsIn(text: string): Mention[] {
  const found = new Map<string, Mention>();
  for (let at = text.indexOf("[["); at !== -1; at = text.indexOf("[[", at + 1)) {
    const inner = text.slice(at + 2, at + 2 + 2 * longestName + 64);
    const end = inner.indexOf("]]");
    const mention = end === -1 ? undefined : mentionOf(inner.slice(0, end));
    if (mention) found.set(`${mention.namespace}:${mention.name}`, mention);
  }
  return [...found.values()];
}

function mentionOf(inner: string): Mention | undefined {
  if (/[[\]\r\n]/.test(inner)) return undefined;
  const colon = inner.indexOf(":");
  if (colon === -1) return undefined;
  const [namespace, name] = [inner.slice(0, colon).trim(), inner.slice(colon + 1).trim()];
  const fits = (part: string) => part.length > 0 && part.length <= longestName;
  return fits(namespace) && fits(name) ? { namespace, name } : undefined;
}

/**
 * Keeps which terms the text of something mentions, in place of what it mentioned before; `of` is locked by the
 * transaction. Throws 400 naming `field` for a text that mentions too many.
 */
export async function recordMentions(
  tx: Transaction,
  of: MentionSource,
  text: string | null,
  field: string,
): Promise<void> {
  const mentions = mentionsIn(text ?? "");
  if (mentions.length > maxMentions) {
    throw badRequest(`The text mentions more than ${maxMentions} terms`, [
      { field, message: `must mention at most ${maxMentions} terms` },
    ]);
  }
  const names = [mentions.map(({ namespace }) => namespace), mentions.map(({ name }) => name)];
  if (mentions.length > 0) await tx.query(lockMentioned, names);
  await tx.query(statements[of.kind], [of.id, ...names]);
}

/** What cannot be done while a text mentions it. */
interface Refusable {
  kind: "term" | "namespace";
  id: number;
  name: string;
  /** `renamed`, `deleted`. */
  done: string;
  /** Whether a definition that mentions its own term counts too. */
  own: boolean;
}

/**
 * Throws 400 (USR004) that names the texts which mention the term, or a term of the namespace. The row is locked FOR
 * UPDATE, so that nobody can begin to mention it.
 */
export async function refuseMentioned(tx: Transaction, what: Refusable): Promise<void> {
  const mentions = await tx.query(mentionStatements[what.kind], [what.id, what.own]);
  if (mentions.length === 0) return;
  const whose = what.kind === "term" ? "it is" : "terms of it are";
  const by = mentions.map(placeText).join("; ");
  const named = what.kind[0]!.toUpperCase() + what.kind.slice(1);
  throw hasDependants(
    `${named} ${what.name} cannot be ${what.done}: ${whose} mentioned by ${by}. Change these texts first`,
  );
}

/** `the description of data entity orders (1), users (2), items (3) and 4 more`. */
function placeText({ kind, names, total }: MentionSummary): string {
  const text = kind === "term" ? "definition" : "description";
  const more = total > names.length ? ` and ${total - names.length} more` : "";
  return `the ${text} of ${kind} ${names.join(", ")}${more}`;
}

const replacing = (table: string, key: string) =>
  statement(`${table.replace("_", "-")}-replace`)`
  WITH wanted AS (
    SELECT DISTINCT name_key(namespace) AS namespace, name_key(name) AS name
      FROM unnest($2::text[], $3::text[]) AS w (namespace, name)
  ), gone AS (
    DELETE FROM ${table} m WHERE m.${key} = $1
       AND NOT EXISTS (SELECT FROM wanted w WHERE (w.namespace, w.name) = (m.namespace, m.name)))
  INSERT INTO ${table} (${key}, namespace, name)
  SELECT $1, namespace, name FROM wanted ON CONFLICT DO NOTHING`;

const statements = {
  data_entity: replacing("entity_mention", "entity_id"),
  dataset_field: replacing("field_mention", "field_id"),
  term: replacing("term_mention", "term_id"),
};

/** What has a text that can mention terms. */
interface MentionSource {
  kind: keyof typeof statements;
  id: number;
}

// The terms keep their names until the transaction ends: renaming or deleting one of them, or renaming a namespace of theirs,
// locks it FOR UPDATE before it looks for mentions.
const lockMentioned = statement("mentioned-terms-hold")`
  WITH wanted AS MATERIALIZED (
    SELECT DISTINCT name_key(namespace) AS namespace, name_key(name) AS name
      FROM unnest($1::text[], $2::text[]) AS w (namespace, name))
  SELECT FROM wanted w JOIN namespace n ON n.folded = w.namespace
    JOIN term t ON t.namespace_id = n.id AND t.folded = w.name
   ORDER BY n.id, t.id FOR KEY SHARE OF n, t`;

/** Texts of one kind that mention something: the names, with ids, of the first three by id, and how many there are. */
interface MentionSummary {
  kind: "data entity" | "dataset field" | "term";
  names: string[];
  total: number;
}

// Fields count as they are in the newest structure: what an older one says is history.
const mentionsStatement = (what: string) =>
  statement<MentionSummary>(`mentions-of-${what}`)`
  WITH mentioned AS (
    SELECT n.folded AS namespace, t.folded AS name, t.id FROM namespace n JOIN term t ON t.namespace_id = n.id
     WHERE ${what === "term" ? "t" : "n"}.id = $1
  ), in_fields AS (
    SELECT f.id, f.dataset_id
      FROM mentioned w JOIN field_mention m ON (m.namespace, m.name) = (w.namespace, w.name)
      JOIN dataset_field f ON f.id = m.field_id
  ), place AS (
    SELECT 'data entity' AS kind, m.entity_id AS id
      FROM mentioned w JOIN entity_mention m ON (m.namespace, m.name) = (w.namespace, w.name)
    UNION
    SELECT 'dataset field', x.id
      FROM in_fields x JOIN latest_fields(ARRAY(SELECT DISTINCT dataset_id FROM in_fields)) l
        ON l.field_id = x.id
    UNION
    SELECT 'term', m.term_id
      FROM mentioned w JOIN term_mention m ON (m.namespace, m.name) = (w.namespace, w.name)
     WHERE $2::boolean OR m.term_id <> w.id)
  SELECT p.kind, p.total, ARRAY(
           SELECT left(CASE p.kind
                    WHEN 'data entity' THEN (
                      SELECT coalesce(internal_name, external_name, catrn) FROM data_entity WHERE id = i.id)
                    WHEN 'dataset field' THEN (
                      SELECT coalesce(e.internal_name, e.external_name, e.catrn) || '.' || f.name
                        FROM dataset_field f JOIN data_entity e ON e.id = f.dataset_id WHERE f.id = i.id)
                    ELSE (SELECT n.name || ':' || t.name FROM term t JOIN namespace n ON n.id = t.namespace_id
                           WHERE t.id = i.id) END, 200) || ' (' || i.id || ')'
             FROM unnest(p.ids) AS i (id) ORDER BY i.id) AS names
    FROM (SELECT kind, (array_agg(id ORDER BY id))[1:3] AS ids, count(*)::int AS total
            FROM place GROUP BY kind) p ORDER BY p.kind`;
const mentionStatements = {
  term: mentionsStatement("term"),
  namespace: mentionsStatement("namespace"),
};
