import { type I18n, setupI18n } from "@lingui/core";
import { compileMessageOrThrow } from "@lingui/message-utils/compileMessage";
import type { AlertType } from "#contract/alerts.ts";
import type { Language } from "#contract/languages.ts";
import { type MessageKey, messages, names } from "#platform/messages/all.ts";

/** What the server writes for people, in one language: mails, chat messages and the sign-in page. */
export class Texts {
  readonly #catalogue: I18n;
  readonly #names: Record<string, string>;

  constructor(readonly language: Language) {
    const compiled = Object.entries<string>(messages[language])
      .map(([key, text]) => [key, compileMessageOrThrow(text)]);
    this.#catalogue = setupI18n({
      locale: language,
      messages: { [language]: Object.fromEntries(compiled) },
    });
    this.#names = names[language];
  }

  /** A message, with values for its arguments (ICU MessageFormat). */
  text(key: MessageKey, values?: Record<string, string | number>): string {
    return this.#catalogue.t(key, values);
  }

  /** What people call a type of alerts. */
  alertType(type: AlertType): string {
    return this.name(type);
  }

  /** A code of the contract as people read it: `KAFKA_TOPIC` is "Kafka topic". Codes without a name are written as words. */
  name(code: string): string {
    if (Object.hasOwn(this.#names, code)) return this.#names[code]!;
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
