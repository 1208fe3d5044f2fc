import { badRequest } from "#kit/errors.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { maxMentions, mentionsIn } from "#services/api/features/terms/mentions.ts";
import { type Mentioning, replaceMentions } from "#services/api/features/terms/mentions.queries.ts";

/**
 * Keeps which terms the text of something mentions, in place of what it mentioned before; `of` is locked by the
 * transaction. Throws 400 naming `field` for a text that mentions too many.
 */
export async function recordMentions(
  tx: Transaction,
  of: Mentioning,
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
