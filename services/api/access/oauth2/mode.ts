import { messageOf } from "#kit/errors.ts";
import { completed } from "#platform/config/oauth2.ts";
import type { Context } from "#platform/context.ts";
import { Provider } from "#services/api/access/oauth2/provider.ts";
import { ProviderSignIn, type ProviderSignInDeps } from "#services/api/access/oauth2/sign-in.ts";
import type { SignedIn, SignInMode } from "#services/api/access/sign-in/port.ts";

/** Sign-in at identity providers: OpenID Connect, and GitHub's OAuth 2. They are contacted only when needed. */
export function oauth2Mode(
  context: Context,
  deps: Omit<ProviderSignInDeps, "providers" | "links">,
): SignInMode {
  const { config, clock, baseUrl, log } = context;
  const clients = Object.entries(config.auth.oauth2.client).map(([id, one]) => completed(id, one));
  const providers = new Map(clients.map((client) => [client.id, new Provider(client, clock)]));
  const links = clients.map(({ id, title }) => ({ id, title }));
  const signIn = new ProviderSignIn(context, { ...deps, providers, links });
  const anonymous = { access: "anonymous" } as const;
  return {
    links,
    providers: [...providers.keys()],
    knows: ({ provider }) => providers.has(provider),
    pages: [
      {
        ...anonymous,
        path: "/oauth2/authorization/:id",
        respond: (request) => signIn.begin(request),
      },
      { ...anonymous, path: "/login/oauth2/code/:id", respond: (request) => signIn.back(request) },
    ],
    async signOutUrl(user) {
      const provider = providers.get(user.provider);
      if (!provider) return undefined;
      return await signOutPage(provider, user, baseUrl()).catch((error) => {
        log.warn("sign-out from the provider is unavailable", {
          provider: user.provider,
          why: messageOf(error),
        });
        return undefined;
      });
    },
  };
}

/** The provider's page on which a user signs out of it, with the way back; undefined when it has none. */
async function signOutPage(
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
