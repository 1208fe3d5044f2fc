import { clean, cut } from "#kit/text.ts";

// The provider's markup has no escape for formatting, so look-alikes stand in for it. A character
// of names such as `_` stays where it formats nothing: within a word.
const lookalikes = new Map(Object.entries({
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "*": "∗",
  "~": "∼",
  "`": "ˋ",
}));
const underscores = /(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/gu;
/** The colon with which the name of an emoji begins. */
const emoji = /:(?=[\p{L}\p{N}_+'’-]+:)/gu;
const whole = /&(?:amp|lt|gt);|[\s\S]/gu;

/**
 * Text that the provider shows literally: no links, mentions, quotes, emoji or formatting
 * come of it. At most `max` units after escaping.
 */
export function literal(text: string, max: number): string {
  // The first cut bounds the work, the second the result.
  const escaped = cut(clean(text), max)
    .replaceAll(/^([^\S\r\n\u2028\u2029]*)>/gm, "$1›")
    .replaceAll(emoji, "꞉")
    .replaceAll(underscores, (run) => "ˍ".repeat(run.length))
    .replaceAll(/[&<>*~`]/g, (character) => lookalikes.get(character)!);
  return cut(escaped, max, whole);
}

/** As `literal`, on one line. */
export function literalLine(text: string, max: number): string {
  return literal(clean(text).replaceAll(/\s+/g, " ").trim(), max);
}

/** A link; `label` is markup already. */
export function link(url: string, label: string): string {
  const encoded = new URL(url).href.replaceAll("|", "%7C").replaceAll("&", "&amp;");
  return `<${encoded}|${label}>`;
}
