import type { Instance } from "#test/support/engines/instance.ts";
import type { Answer } from "#test/support/http/api.ts";
import { type Browser, browserAt } from "#test/support/sign-in/browser.ts";

/** A browser at an instance in which somebody has signed in with the form. Throws when that fails. */
export async function signedIn(
  { url }: Pick<Instance, "url">,
  username: string,
  password: string,
): Promise<Browser> {
  const browser = browserAt(url);
  const answer = await browser.post("/login", { username, password });
  const to = answer.headers.get("location") ?? "";
  if (answer.status === 302 && !to.startsWith("/login")) return browser;
  throw new Error(`${username} was not signed in: ${answer.status} ${to}`);
}

/** A browser at another instance that holds the same cookies. */
export function sameBrowserAt({ url }: Pick<Instance, "url">, { cookies }: Browser): Browser {
  const browser = browserAt(url);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
}

/** The header of somebody with a token. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The answer of a call that must succeed. Throws with what came instead. */
export async function done(calling: Promise<Answer>): Promise<Answer["json"]> {
  const { status, text, json } = await calling;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return json;
}
