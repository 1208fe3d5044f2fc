import { z } from "zod";
import { list } from "#platform/config/kinds.ts";

/** Providers whose peculiarities are known. */
const knownProviders = [
  "azure",
  "cognito",
  "github",
  "google",
  "keycloak",
  "oidc",
  "okta",
] as const;
type KnownProvider = (typeof knownProviders)[number];

const text = () => z.string().trim().min(1).max(1_000).optional();
const uri = () =>
  z.url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" }).optional();

/** Where a provider sends people back to, with `{baseUrl}` and `{registrationId}` for what is known. */
export const redirectTemplate = "{baseUrl}/login/oauth2/code/{registrationId}";

const isRedirect = (given: string) => {
  const url = URL.parse(redirectOf(given, "https://a.example", "x"));
  return url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
};

/** The address that a template stands for. */
export function redirectOf(template: string, baseUrl: string, id: string): string {
  return template.replaceAll("{baseUrl}", baseUrl.replace(/\/$/, ""))
    .replaceAll("{registrationId}", id);
}

/** One client at an identity provider. */
export const client = z.strictObject({
  provider: z.enum(knownProviders).optional().describe(
    "The provider whose defaults apply; unset: the one that `{id}` names, else `oidc`, which has none",
  ),
  "client-id": text().describe("Id of this client at the provider"),
  "client-secret": text().describe("Its secret; a client with `pkce` may have none"),
  "client-name": text().describe(
    "What people read on the sign-in page; unset: the provider's name",
  ),
  "redirect-uri": z.string().refine(isRedirect, `must be a URL such as ${redirectTemplate}`)
    .optional().describe(
      "Where the provider sends people back to, with `{baseUrl}` and `{registrationId}`; unset: " +
        `\`${redirectTemplate}\``,
    ),
  scope: text().describe(
    "Requested scopes, separated by spaces or commas; without `openid` the provider is used " +
      "by plain OAuth 2. Unset: `openid profile email`, of GitHub `read:user read:org`",
  ),
  "issuer-uri": uri().describe(
    "Issuer: where the provider's addresses are discovered, and what its tokens must name",
  ),
  "authorization-uri": uri().describe("Where people sign in; unset: discovered"),
  "token-uri": uri().describe("Where codes are exchanged; unset: discovered"),
  "user-info-uri": uri().describe(
    "Where claims that the ID token lacks are requested; unset: discovered",
  ),
  "jwk-set-uri": uri().describe("The provider's public keys; unset: discovered"),
  "logout-uri": uri().describe("Where people sign out of the provider; unset: discovered"),
  "user-name-attribute": text().describe(
    "Claim that names the user; unset: `preferred_username`, of Google `email`, of GitHub `login`, of " +
      "Cognito `cognito:username`, of `oidc` `sub`",
  ),
  "admin-attribute": text().describe(
    "Claim in which `admin-principals` are looked for; unset: the name of the user. Without " +
      "`admin-principals`, a user with the value `true` is an administrator",
  ),
  "groups-claim": text().describe(
    "Claim with the groups of the user, as `groups` or `realm_access.roles`; unset: `groups`, of Cognito " +
      "`cognito:groups`",
  ),
  "admin-groups": list((entry) => entry.length <= 1_000, "must be names, separated by commas")
    .describe(
      "Groups whose members are administrators, separated by commas; at GitHub `organization` or " +
        "`organization/team`",
    ),
  "admin-principals": list((entry) => entry.length <= 1_000, "must be names, separated by commas")
    .describe("Users who are administrators, separated by commas"),
  "organization-name": text().describe("GitHub organization; only its members may sign in"),
  "allowed-domain": z.string().regex(
    /^[A-Za-z0-9.-]{1,253}$/,
    "must be a domain such as corp.example",
  )
    .optional().describe(
      "Domain; only its users may sign in: that of their verified e-mail address, and at Google also " +
        "of their account",
    ),
  pkce: z.boolean().default(true).describe(
    "Whether codes are bound to the requester (PKCE, S256)",
  ),
});
export type OAuth2Client = z.output<typeof client>;

/** What holds for the clients of a provider, unless they are configured otherwise. */
interface ProviderDefaults {
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
function providerOf(id: string, client: Pick<OAuth2Client, "provider">): KnownProvider {
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
