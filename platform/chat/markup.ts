import { clean, cut } from "#kit/text.ts";
import type { MessageKey, Texts } from "#platform/messages/texts.ts";

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

/** What the provider takes in one section, and in one context, in characters; more is refused whole. */
export const sectionMax = 3_000;
export const contextMax = 2_000;

/** Our own bound, so that one name leaves room for others. */
export const nameMax = 200;

interface Markup {
  type: "mrkdwn";
  text: string;
  /** Bare addresses and names are not made links. */
  verbatim: true;
}

/** A part of a chat message. */
export type Block =
  | { type: "header"; text: { type: "plain_text"; text: string; emoji: true } }
  | { type: "divider" }
  | { type: "section"; text: Markup }
  | { type: "context"; elements: Markup[] };

const markup = (text: string): Markup => ({ type: "mrkdwn", text, verbatim: true });

export const divider: Block = { type: "divider" };

/** A paragraph of markup. */
export const section = (text: string): Block => ({ type: "section", text: markup(text) });

/** A line of markup in small letters. */
export const context = (text: string): Block => ({ type: "context", elements: [markup(text)] });

/** A line with the data source and the namespace of an entity; none where it has neither. */
export function sourceBlocks(
  dataSource: string | null,
  namespace: string | null,
  texts: Texts,
): Block[] {
  const part = (key: MessageKey, name: string | null) =>
    name ? [texts.text(key, { name: literalLine(name, nameMax) })] : [];
  const parts = [...part("chat.dataSource", dataSource), ...part("chat.namespace", namespace)];
  return parts.length > 0 ? [context(parts.join(", "))] : [];
}
