import { t } from "#web/messages/text.ts";
/** Longest text that a box or a line keeps of a name, in UTF-16 units; the whole name is in the panel. */
export const shownUnits = 300;

// Default_Ignorable_Code_Point is what nobody sees, such as the zero width space, and what reorders text. Joiners and
// the selectors of variations are part of what people write.
const unseen = new RegExp(
  "[\\p{Cc}\\u2028\\u2029\\ufffe\\uffff]+|" +
    "(?![\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])\\p{Default_Ignorable_Code_Point}",
  "gu",
);

/**
 * A name as one line of a drawing shows it: without what nobody sees, or hides or reorders other text; control
 * characters become spaces. At most `shownUnits` long, a cut shown by an ellipsis; never empty.
 */
export function shown(name: string): string {
  const seen = name.slice(0, 4 * shownUnits).toWellFormed()
    .replaceAll(unseen, (found) => (/[\p{Cc}\u2028\u2029]/u.test(found) ? " " : ""))
    .trim();
  if (!/[^\p{Default_Ignorable_Code_Point}\s]/u.test(seen)) return t("graph.noVisibleName");
  return seen.length > shownUnits ? `${seen.slice(0, shownUnits - 1).toWellFormed()}…` : seen;
}
