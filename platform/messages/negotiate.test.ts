import { expect, it } from "vitest";
import { languageOf } from "#platform/messages/texts.ts";

const of = (headers: Record<string, string>) =>
  languageOf(new Request("http://catalogue.example/", { headers }), "en");

it.each([
  ["", "en"],
  ["de-AT,de;q=0.9,en;q=0.8", "de"],
  ["sv, fr;q=0.5, es;q=0.9", "es"],
  ["ja-Kana-JP", "ja"],
  ["fr-CA", "fr"],
  ["zh-Hant-TW", "zh"],
  ["uk-UA,ru;q=0.5", "uk"],
  ["pt-BR", "pt"],
  ["fr;q=0, ja;q=0.1", "ja"],
  ["*", "en"],
  ["__proto__, constructor", "en"],
  [`${"x,".repeat(5_000)}de`, "en"],
])("a browser that accepts %j reads %s", (header, language) => {
  expect(of({ "accept-language": header })).toBe(language);
});

it("what was chosen in the user menu wins, unless it is no language of the interface", () => {
  expect(of({ "accept-language": "de", cookie: "a=b; language=es" })).toBe("es");
  expect(of({ "accept-language": "de", cookie: "language=tlh" })).toBe("de");
});
