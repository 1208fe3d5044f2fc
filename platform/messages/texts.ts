import { IntlMessageFormat } from "intl-messageformat";
import type { AlertType } from "#contract/alerts.ts";
import type { Language } from "#contract/languages.ts";
import { type MessageKey, messages, names } from "#platform/messages/all.ts";

/** What the server writes for people, in one language: mails, chat messages and the sign-in page. */
export class Texts {
  readonly #formats: ReadonlyMap<string, IntlMessageFormat>;
  readonly #names: ReadonlyMap<string, string>;

  constructor(readonly language: Language) {
    const texts = Object.entries<string>(messages[language]);
    // Values come from collectors: what looks like a tag in them is text.
    const options = { ignoreTag: true };
    this.#formats = new Map(
      texts.map(([key, text]) => [key, new IntlMessageFormat(text, language, {}, options)]),
    );
    this.#names = new Map(Object.entries(names[language]));
  }

  /** A message, with values for its arguments (ICU MessageFormat). */
  text(key: MessageKey, values?: Record<string, string | number>): string {
    return String(this.#formats.get(key)!.format(values));
  }

  /** What people call a type of alerts. */
  alertType(type: AlertType): string {
    return this.name(type);
  }

  /** A code of the contract as people read it: `KAFKA_TOPIC` is "Kafka topic". Codes without a name are written as words. */
  name(code: string): string {
    const known = this.#names.get(code);
    if (known !== undefined) return known;
    const text = code.replaceAll("_", " ").toLowerCase();
    return text.charAt(0).toUpperCase() + text.slice(1);
  }
}

const known = new Map<Language, Texts>();

/** The texts of a language; they are read once. */
export function textsIn(language: Language): Texts {
  const texts = known.get(language) ?? new Texts(language);
  known.set(language, texts);
  return texts;
}
