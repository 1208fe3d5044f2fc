import { parseAccept } from "hono/utils/accept";
import { parse } from "hono/utils/cookie";
import { type Language, languages } from "#contract/languages.ts";

/** Set by the user menu of the interface. */
const cookie = "language";
/** Characters of a header that are read; browsers send some dozens. */
const longest = 1_000;

/**
 * The language of a page: the one that was chosen in the user menu, else the first of those that the browser accepts (RFC 9110,
 * section 12.5.4), else `otherwise`.
 */
export function languageOf(request: Request, otherwise: Language): Language {
  const chosen = parse(request.headers.get("cookie") ?? "", cookie)[cookie];
  const accepted = (request.headers.get("accept-language") ?? "").slice(0, longest);
  const wanted = parseAccept(accepted).filter(({ q }) => q > 0).map(({ type }) => type);
  const tags = [...(chosen ? [chosen] : []), ...wanted];
  return tags.map(known).find((tag) => tag !== undefined) ?? otherwise;
}

/** `pt-BR` is Portuguese. */
function known(tag: string): Language | undefined {
  const [primary] = tag.toLowerCase().split("-");
  return languages.find((one) => one === primary);
}

/** The header of what differs by language. */
export const varyByLanguage = "accept-language, cookie";
