import type { Language } from "#contract/languages.ts";
import enNames from "#contract/names/en.json" with { type: "json" };
import deNames from "#contract/names/de.json" with { type: "json" };
import esNames from "#contract/names/es.json" with { type: "json" };
import frNames from "#contract/names/fr.json" with { type: "json" };
import jaNames from "#contract/names/ja.json" with { type: "json" };
import ptNames from "#contract/names/pt.json" with { type: "json" };
import ukNames from "#contract/names/uk.json" with { type: "json" };
import zhNames from "#contract/names/zh.json" with { type: "json" };
import en from "#platform/messages/en.json" with { type: "json" };
import de from "#platform/messages/de.json" with { type: "json" };
import es from "#platform/messages/es.json" with { type: "json" };
import fr from "#platform/messages/fr.json" with { type: "json" };
import ja from "#platform/messages/ja.json" with { type: "json" };
import pt from "#platform/messages/pt.json" with { type: "json" };
import uk from "#platform/messages/uk.json" with { type: "json" };
import zh from "#platform/messages/zh.json" with { type: "json" };

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
export const names: Record<Language, Record<string, string>> = {
  en: enNames,
  de: deNames,
  es: esNames,
  fr: frNames,
  ja: jaNames,
  pt: ptNames,
  uk: ukNames,
  zh: zhNames,
};
