/** Languages of the interface, by BCP 47 tag, each in its own words. */
export const languages = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  ja: "日本語",
  pt: "Português",
  uk: "Українська",
  zh: "简体中文",
} as const;
export type Language = keyof typeof languages;

/** What is used here of a browser; benchmarks run without one. */
const page = globalThis as unknown as {
  document?: { documentElement: { lang: string }; baseURI: string; cookie: string };
  location?: { reload: () => void };
};

/**
 * The language of this page. The server chooses it, from the cookie `language` or from what the browser accepts, and writes it
 * into the document, so it is the same until the page is loaded again.
 */
export const language: Language = known(page.document?.documentElement.lang);

/** The same with the region that the browser names, such as `en-GB`: how dates and numbers are written. */
export const locale: string =
  (globalThis.navigator?.languages ?? []).find((one) => one.split("-")[0] === language) ?? language;

/** Requests this language from now on: the page is loaded again in it. */
export function setLanguage(chosen: Language): void {
  const { document, location } = page;
  if (!document) return;
  const path = new URL(document.baseURI).pathname;
  document.cookie = `language=${chosen}; path=${path}; max-age=31536000; samesite=lax`;
  location?.reload();
}

function known(tag: string | undefined): Language {
  return tag !== undefined && Object.hasOwn(languages, tag) ? tag as Language : "en";
}
