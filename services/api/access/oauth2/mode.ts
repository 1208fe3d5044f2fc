import { messageOf } from "#kit/errors.ts";
import { completed } from "#platform/config/oauth2-providers.ts";
import type { Context } from "#platform/context.ts";
import { Provider } from "#services/api/access/oauth2/provider.ts";
import { signOutPage } from "#services/api/access/oauth2/sign-out.ts";
import { ProviderSignIn, type ProviderSignInDeps } from "#services/api/access/oauth2/sign-in.ts";
import type { SignInMode } from "#services/api/access/sign-in/port.ts";

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
