import {
  type KnownProvider,
  knownProviders,
  type OAuth2Client,
} from "#platform/config/oauth2-client.ts";

/** What holds for the clients of a provider, unless they are configured otherwise. */
export interface ProviderDefaults {
  title: string;
  scope: string;
  "user-name-attribute": string;
  "groups-claim": string;
  "issuer-uri"?: string;
  "authorization-uri"?: string;
  "token-uri"?: string;
  "user-info-uri"?: string;
  /** How a user is signed out: by OpenID Connect, or by Cognito's own parameters. */
  logout: "oidc" | "cognito";
}

const standard = {
  scope: "openid profile email",
  "groups-claim": "groups",
  logout: "oidc",
} as const;
const preferred = { ...standard, "user-name-attribute": "preferred_username" };

const defaults: Record<KnownProvider, ProviderDefaults> = {
  azure: { ...preferred, title: "Microsoft" },
  cognito: {
    ...standard,
    title: "Amazon Cognito",
    "user-name-attribute": "cognito:username",
    "groups-claim": "cognito:groups",
    logout: "cognito",
  },
  // No OpenID Connect: GitHub issues no ID tokens to people, so the user is read from its API.
  github: {
    ...standard,
    title: "GitHub",
    scope: "read:user read:org",
    "user-name-attribute": "login",
    "authorization-uri": "https://github.com/login/oauth/authorize",
    "token-uri": "https://github.com/login/oauth/access_token",
    "user-info-uri": "https://api.github.com/user",
  },
  google: {
    ...standard,
    title: "Google",
    "issuer-uri": "https://accounts.google.com",
    "user-name-attribute": "email",
  },
  keycloak: { ...preferred, title: "Keycloak" },
  oidc: { ...standard, title: "", "user-name-attribute": "sub" },
  okta: { ...preferred, title: "Okta" },
};

const isKnown = (name: string): name is KnownProvider =>
  (knownProviders as readonly string[]).includes(name);

/** The provider of a client: the one that it names, else the one that its id names, else any of OpenID Connect. */
export function providerOf(id: string, client: Pick<OAuth2Client, "provider">): KnownProvider {
  return client.provider ?? (isKnown(id) ? id : "oidc");
}

/** A client with the defaults of its provider. */
export type CompleteClient =
  & OAuth2Client
  & Pick<ProviderDefaults, "user-name-attribute" | "groups-claim" | "logout">
  & { id: string; provider: KnownProvider; title: string; scopes: string[]; openid: boolean };

/** A client with the defaults of its provider; `openid`: it speaks OpenID Connect, not OAuth 2 alone. */
export function completed(id: string, client: OAuth2Client): CompleteClient {
  const provider = providerOf(id, client);
  const { title, scope, ...further } = defaults[provider];
  const given = Object.entries(client).filter(([, value]) => value !== undefined);
  const scopes = (client.scope ?? scope).split(/[\s,]+/).filter((one) => one !== "");
  return {
    ...further,
    ...Object.fromEntries(given) as OAuth2Client,
    id,
    provider,
    title: client["client-name"] ?? (title || id),
    scopes,
    openid: scopes.includes("openid"),
  } as CompleteClient;
}
