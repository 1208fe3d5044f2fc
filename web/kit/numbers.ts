import { usualWords } from "#web/kit/usual-words.ts";
import { language } from "#web/messages/language.ts";

const whole = new Intl.NumberFormat(language);
const lists = new Intl.ListFormat(language, { type: "unit" });
const compact = new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 });
const sizes = ["B", "kB", "MB", "GB", "TB", "PB"];

export function count(value: number): string {
  return whole.format(value);
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
  return `${scaled.toFixed(step > 0 && scaled < 10 ? 1 : 0)} ${sizes[step]}`;
}

/** `1 table`, `3 tables`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** What a type or class is called within a sentence: `table`, `ML model`. */
export function noun(name: string): string {
  return words(name).replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/** A name of the contract as people read it: `DATA_QUALITY_TEST` becomes `Test`, `KAFKA_TOPIC` `Kafka topic`. */
export function words(name: string): string {
  const usual = usualWords.get(name);
  if (usual !== undefined) return usual;
  const text = name.replaceAll("_", " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
