import { badRequest, hasDependants } from "#kit/errors.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { maxMentions, mentionsIn } from "#services/api/features/terms/mentions.ts";
import {
  mentionsOf,
  type MentionSource,
  type MentionSummary,
  replaceMentions,
} from "#services/api/features/terms/mentions.queries.ts";

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
  await replaceMentions(tx, of, mentions);
}

/** What cannot be done while a text mentions it. */
export interface Refusable {
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
  const mentions = await mentionsOf(tx, what.kind, what.id, what.own);
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
