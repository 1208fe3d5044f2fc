import { loadedOnce } from "#kit/on-demand.ts";
import { completed } from "#platform/config/oauth2.ts";
import type { Context } from "#platform/context.ts";
import type { ProviderSignInDeps } from "#services/api/access/oauth2/sign-in.ts";
import type { SignInMode } from "#services/api/access/sign-in/port.ts";

/** Sign-in at identity providers: OpenID Connect, and GitHub's OAuth 2. They are contacted only when needed. */
export function oauth2Mode(
  context: Context,
  deps: Pick<ProviderSignInDeps, "start" | "throttle" | "audit">,
): SignInMode {
  const clients = Object.entries(context.config.auth.oauth2.client)
    .map(([id, client]) => completed(id, client));
  const links = clients.map(({ id, title }) => ({ id, title }));
  const ids = new Set(clients.map(({ id }) => id));
  const failures = context.metrics.counter(
    "tributary_oauth2_failures_total",
    "Sign-ins that failed at an identity provider",
    ["reason"],
  );
  // Its library is loaded by the first who signs in, since most processes need none.
  const signIn = loadedOnce(async () => {
    const { ProviderSignIn } = await import("#services/api/access/oauth2/sign-in.ts");
    return new ProviderSignIn(context, { ...deps, clients, links, failures });
  });
  const anonymous = { access: "anonymous" } as const;
  return {
    links,
    providers: [...ids],
    knows: ({ provider }) => ids.has(provider),
    pages: [
      {
        ...anonymous,
        path: "/oauth2/authorization/:id",
        respond: async (request) => await (await signIn()).begin(request),
      },
      {
        ...anonymous,
        path: "/login/oauth2/code/:id",
        respond: async (request) => await (await signIn()).back(request),
      },
    ],
    signOutUrl: async (user) => await (await signIn()).signOutUrl(user),
  };
}
