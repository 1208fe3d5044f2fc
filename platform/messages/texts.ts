import { parseAccept } from "hono/utils/accept";
import { parse } from "hono/utils/cookie";
import { IntlMessageFormat } from "intl-messageformat";
import { type Language, languages } from "#contract/languages.ts";
import deNames from "#contract/names/de.json" with { type: "json" };
import enNames from "#contract/names/en.json" with { type: "json" };
import esNames from "#contract/names/es.json" with { type: "json" };
import frNames from "#contract/names/fr.json" with { type: "json" };
import jaNames from "#contract/names/ja.json" with { type: "json" };
import ptNames from "#contract/names/pt.json" with { type: "json" };
import ukNames from "#contract/names/uk.json" with { type: "json" };
import zhNames from "#contract/names/zh.json" with { type: "json" };
import { clean } from "#kit/text.ts";
import de from "#platform/messages/de.json" with { type: "json" };
import en from "#platform/messages/en.json" with { type: "json" };
import es from "#platform/messages/es.json" with { type: "json" };
import fr from "#platform/messages/fr.json" with { type: "json" };
import ja from "#platform/messages/ja.json" with { type: "json" };
import pt from "#platform/messages/pt.json" with { type: "json" };
import uk from "#platform/messages/uk.json" with { type: "json" };
import zh from "#platform/messages/zh.json" with { type: "json" };

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

  /** A code of the contract as people read it: `KAFKA_TOPIC` is "Kafka topic". Codes without a name are written as words. */
  name(code: string): string {
    const known = this.#names.get(code);
    if (known !== undefined) return known;
    const text = code.replaceAll("_", " ").toLowerCase();
    return text.charAt(0).toUpperCase() + text.slice(1);
  }
}

const textsByLanguage = new Map<Language, Texts>();

/** The texts of a language; they are read once. */
export function textsIn(language: Language): Texts {
  const texts = textsByLanguage.get(language) ?? new Texts(language);
  textsByLanguage.set(language, texts);
  return texts;
}

export type MessageKey = keyof typeof en;

/** Messages of the server, by language. The check `messages` compares their keys and arguments. */
export const messages: Record<Language, Record<MessageKey, string>> = {
  en,
  de,
  es,
  fr,
  ja,
  pt,
  uk,
  zh,
};

/** Names of the codes of the contract, by language; the web interface shows the same. */
const names: Record<Language, Record<string, string>> = {
  en: enNames,
  de: deNames,
  es: esNames,
  fr: frNames,
  ja: jaNames,
  pt: ptNames,
  uk: ukNames,
  zh: zhNames,
};

/** Set by the user menu of the interface. */
const languageCookie = "language";
/** Characters of a header that are read; browsers send some dozens. */
const longestHeader = 1_000;

/**
 * The language of a page: the one that was chosen in the user menu, else the first of those that the browser accepts (RFC 9110,
 * section 12.5.4), else `otherwise`.
 */
export function languageOf(request: Request, otherwise: Language): Language {
  const chosen = parse(request.headers.get("cookie") ?? "", languageCookie)[languageCookie];
  const accepted = (request.headers.get("accept-language") ?? "").slice(0, longestHeader);
  const wanted = parseAccept(accepted).filter(({ q }) => q > 0).map(({ type }) => type);
  const tags = [...(chosen ? [chosen] : []), ...wanted];
  return tags.map(languageOfTag).find((tag) => tag !== undefined) ?? otherwise;
}

/** `pt-BR` is Portuguese. */
function languageOfTag(tag: string): Language | undefined {
  const [primary] = tag.toLowerCase().split("-");
  return languages.find((one) => one === primary);
}

/** The header of what differs by language. */
export const varyByLanguage = "accept-language, cookie";

const visible = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** What an entity is called; one that is only referred to has no name, or none that can be seen. */
export function entityName(entity: { id: number; name: string | null }): string {
  const name = clean(entity.name ?? "").trim();
  return visible.test(name) ? name : `entity ${entity.id}`;
}

/** Pages of an entity in the web interface, by what a link is to show. */
type EntityPage = "overview" | "alerts";

export function entityUrl(base: string, entity: { id: number }, shows: EntityPage) {
  return `${base.replace(/(?<!\/)\/+$/, "")}/dataentities/${entity.id}/${shows}`;
}
