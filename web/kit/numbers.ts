import { language, locale } from "#web/messages/language.ts";
import { catalogue, nameOf, t } from "#web/messages/text.ts";

const whole = new Intl.NumberFormat(locale);
const lists = new Intl.ListFormat(locale, { type: "unit" });
const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
const sizes = ["B", "kB", "MB", "GB", "TB", "PB"];

export function count(value: number): string {
  return whole.format(value);
}

/** A count that may be a minimum: `20,000+` stands for at least so many. */
export function atLeast(value: number, isMinimum: boolean | undefined): string {
  return isMinimum ? `${count(value)}+` : count(value);
}

/** `a, b, c`, as the language separates them. */
export function listText(items: Iterable<string>): string {
  return lists.format(items);
}

/** Short where space is: 12.3K. */
export function shortCount(value: number): string {
  return compact.format(value);
}

/** A size in bytes, in powers of 1,000. */
export function bytes(value: number): string {
  const step = Math.min(
    sizes.length - 1,
    Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)),
  );
  const scaled = value / 1_000 ** step;
  const digits = step > 0 && scaled < 10 ? 1 : 0;
  const number = scaled.toLocaleString(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${number} ${sizes[step]}`;
}

/** So many of a type or class: `1 table`, `3 tables`. */
export function counted(value: number, name: string): string {
  // deno-lint-ignore house/interface-text -- a key of a message
  const key = `kit.many.${name}`;
  return Object.hasOwn(catalogue.messages, key)
    ? t(key as "kit.many.TABLE", { count: value })
    : `${count(value)} ${noun(name)}`;
}

/** What a type or class is called within a sentence: `table`, `ML model`. */
export function noun(name: string): string {
  return inSentence(words(name));
}

/** A text that begins with a capital letter, as it is written within a sentence. */
export function inSentence(text: string): string {
  // German writes nouns with a capital within sentences too.
  if (language === "de") return text;
  return text.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());
}

/** Values and texts of names of the contract, for a choice among them. */
export function wordOptions<Name extends string>(names: readonly Name[]) {
  return names.map((name) => [name, words(name)] as const);
}

/** A name of the contract as people read it: `DATA_QUALITY_TEST` becomes `Test`, `KAFKA_TOPIC` `Kafka topic`. */
export function words(name: string): string {
  const known = nameOf(name);
  if (known !== undefined) return known;
  const text = name.replaceAll("_", " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
