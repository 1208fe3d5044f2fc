import type { Provider } from "#services/api/access/oauth2/provider.ts";
import type { SignedIn } from "#services/api/access/sign-in/port.ts";

/** The provider's page on which a user signs out of it, with the way back; undefined when it has none. */
export async function signOutPage(
  provider: Provider,
  user: SignedIn,
  baseUrl: string,
): Promise<string | undefined> {
  const { client } = provider;
  const back = `${baseUrl.replace(/\/$/, "")}/login`;
  const given = client["logout-uri"];
  if (!given && !client.openid) return undefined;
  const page = given ?? (await provider.configuration()).serverMetadata().end_session_endpoint;
  if (!page) return undefined;
  const url = new URL(page);
  url.searchParams.set("client_id", client["client-id"]!);
  if (client.logout === "cognito") url.searchParams.set("logout_uri", back);
  else {
    url.searchParams.set("post_logout_redirect_uri", back);
    if (user.idToken) url.searchParams.set("id_token_hint", user.idToken);
  }
  return url.href;
}
