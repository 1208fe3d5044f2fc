import { type Block, context, contextMax, section, sectionMax } from "#platform/outbound/blocks.ts";
import { clean, cut, fitted } from "#kit/shown-text.ts";
import type { MessageKey } from "#platform/messages/all.ts";
import type { Texts } from "#platform/messages/texts.ts";
import { entityName, entityUrl } from "#platform/outbound/entity-text.ts";
import { link, literal, literalLine } from "#platform/outbound/markup.ts";
import type { Subject } from "./subject.ts";

/** Our own bound, so that one name leaves room for others. */
const nameMax = 200;
/** Shown of the message where blocks cannot be, such as in a notice on a phone. */
const noticeMax = 500;
/** Maximum number of units that one letter becomes by escaping: `&amp;`. */
const longestCharacter = 5;

export interface RenderInput {
  text: string;
  author: string | null;
  subject: Subject;
  /** Address of this catalogue. */
  baseUrl: string;
  texts: Texts;
}

/**
 * A message as it is posted: a link to the entity, the literal text, and where the entity belongs; of no
 * more blocks than the provider takes, each within its limits.
 */
export function posted({ text, author, subject, baseUrl, texts }: RenderInput) {
  const name = literalLine(entityName(subject), nameMax);
  const type = subject.type ? `*${literalLine(texts.name(subject.type), nameMax)}* ` : "";
  const title = link(entityUrl(baseUrl, subject, "overview"), `${type}*${name}*`);
  const by = author === null
    ? ""
    : ` ${texts.text("chat.writes", { person: literalLine(author, nameMax) })}`;
  const blocks: Block[] = [
    section(`${title}${by}`),
    ...paragraphs(clean(text).trim()),
    ...placeOf(subject, texts),
    ...named(texts.text("chat.owners"), subject.owners.map(ownerText)),
    ...named(texts.text("chat.tags"), subject.tags),
    ...named(texts.text("chat.groups"), subject.groups),
  ];
  return { text: `${name}: ${literal(cut(clean(text), noticeMax), noticeMax)}`, blocks };
}

/** The whole text, in as many sections as its letters need once they are escaped. */
function paragraphs(text: string): Block[] {
  const shown = literal(text, text.length * longestCharacter);
  if (shown.length <= sectionMax) return shown.trim() === "" ? [] : [section(shown)];
  const at = placeToCut(text);
  return [...paragraphs(text.slice(0, at)), ...paragraphs(text.slice(at))];
}

/** About the middle: after a line, else after a blank, else between two characters. */
function placeToCut(text: string): number {
  const half = Math.ceil(text.length / 2);
  const part = text.slice(0, half);
  const at = Math.max(part.lastIndexOf("\n"), part.lastIndexOf(" ")) + 1;
  if (at > half / 2) return at;
  return /[\ud800-\udbff]$/.test(part) ? half - 1 : half;
}

function placeOf({ dataSource, namespace }: Subject, texts: Texts): Block[] {
  const part = (key: MessageKey, name: string | null) =>
    name ? [texts.text(key, { name: literalLine(name, nameMax) })] : [];
  const segments = [
    ...part("chat.dataSource", dataSource),
    ...part("chat.namespace", namespace),
  ];
  return segments.length > 0 ? [context(segments.join(", "))] : [];
}

function ownerText({ owner, title }: Subject["owners"][number]): string {
  return title === null ? owner : `${owner} (${title})`;
}

function named(what: string, names: string[]): Block[] {
  if (names.length === 0) return [];
  const shown = names.map((name) => literalLine(name, nameMax));
  const [first = "", ...others] = shown;
  return [context(fitted([`${what}: ${first}`, ...others], contextMax, { separator: ", " }))];
}
