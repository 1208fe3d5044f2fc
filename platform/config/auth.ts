import { z } from "zod";
import { demands, list, someTime } from "#platform/config/kinds.ts";
import { lackOfLdap, ldap } from "#platform/config/ldap.ts";
import {
  client,
  completed,
  type OAuth2Client,
  redirectOf,
  redirectTemplate,
} from "#platform/config/oauth2.ts";

/** `name:password` pairs, separated by commas; the password may be a bcrypt hash. */
const isCredentials = (text: string) =>
  text.split(",").every((pair) => /^[^:,]{1,255}:[^,]{1,1000}$/.test(pair.trim()));

/** An administrator of LOGIN_FORM who is not one of its users. */
function unknownAdministrator(
  auth: { "login-form-administrators": string[]; "login-form-credentials": string },
): string | undefined {
  const users = auth["login-form-credentials"].split(",").map((pair) => pair.trim().split(":")[0]);
  return auth["login-form-administrators"].find((name) => !users.includes(name));
}

const badId = "has an id that is not 1 to 40 of a-z, 0-9 and -";

const maxClients = 50;

/** Identity providers that people are sent to. */
const oauth2 = z.strictObject({
  client: z.record(
    z.string().regex(/^[a-z0-9-]{1,40}$/),
    client,
    { error: ({ code }) => code === "invalid_key" ? badId : undefined },
  ).refine((clients) => Object.keys(clients).length <= maxClients, `must be at most ${maxClients}`)
    .superRefine((clients, context) => {
      for (const [id, given] of Object.entries(clients)) check(id, given, context);
    }).prefault({}),
});

/** Reports what a client lacks, and what has no effect. */
function check(id: string, given: OAuth2Client, context: z.core.$RefinementCtx): void {
  const { demand, idle, issue } = demands(context);
  const whole = completed(id, given);
  const at = (name: string) => [id, name];
  demand(given["client-id"], at("client-id"), "a client is configured");
  if (!given.pkce) demand(given["client-secret"], at("client-secret"), "pkce is off");
  if (whole.openid) {
    const why = "the scope has openid: ID tokens must name their issuer";
    demand(whole["issuer-uri"], at("issuer-uri"), why);
  } else if (!whole["issuer-uri"]) {
    for (const name of ["authorization-uri", "token-uri", "user-info-uri"] as const) {
      demand(whole[name], at(name), "there is no issuer-uri");
    }
  }
  const github = whole.provider === "github";
  if (!github) {
    idle(given["organization-name"], at("organization-name"), "unless the provider is github");
  }
  if (github) idle(given["allowed-domain"], at("allowed-domain"), "with the provider github");
  if (github) idle(given["groups-claim"], at("groups-claim"), "with the provider github");
  else if (given["admin-groups"].length === 0) {
    idle(given["groups-claim"], at("groups-claim"), "without admin-groups");
  }
  const back = redirectOf(given["redirect-uri"] ?? redirectTemplate, "https://a.example", id);
  if (!(URL.parse(back)?.pathname ?? "").endsWith(`/login/oauth2/code/${id}`)) {
    issue(at("redirect-uri"), `must end with /login/oauth2/code/${id}, where people are awaited`);
  }
}

/** What is missing for `auth.type` OAUTH2. */
function lackOfOAuth2(clients: Record<string, OAuth2Client>): string | undefined {
  if (Object.keys(clients).length > 0) return undefined;
  return "needs a provider: auth.oauth2.client.{id}.client-id and what belongs to it";
}

/** How people and programs show who they are. */
export const auth = z.strictObject({
  type: z.enum(["DISABLED", "LOGIN_FORM", "OAUTH2", "LDAP"]).default("DISABLED").describe(
    "How people sign in; DISABLED: there is no sign-in, and everyone can do everything",
  ),
  "login-form-credentials": z.string().default("admin:admin,root:root")
    .refine(isCredentials, "must be name:password pairs, separated by commas").describe(
      "Users of LOGIN_FORM, `name:password` separated by commas. A password may be given as its bcrypt hash",
    ),
  "login-form-administrators": list(
    (entry) => entry.length <= 255 && !entry.includes(":"),
    "must be names of users of auth.login-form-credentials, separated by commas",
  ).describe(
    "Users of LOGIN_FORM who are administrators where `auth.enforce-all-gates` is on, separated by commas; the others " +
      "have the role User, or the roles of their owner",
  ),
  "login-form-redirect": z.string().regex(
    /^\/(?!\/)[^\\\s]*$/,
    "must be a path of this service, such as /api/explorer",
  ).optional().describe(
    "Path to which people are sent after they signed in with the form; unset: where they came from, else `/`",
  ),
  "allow-open-access": z.boolean().default(false).describe(
    "Whether the API may listen on other than loopback addresses without sign-in (`auth.type` " +
      "DISABLED) or with the default users of LOGIN_FORM; otherwise it refuses to start",
  ),
  "enforce-all-gates": z.boolean().default(false).describe(
    "Whether to also check the permissions that the published contract does not require, and " +
      "to check permissions under LOGIN_FORM at all",
  ),
  s2s: z.strictObject({
    enabled: z.boolean().default(false).describe(
      "Whether programs can authenticate with a service key (`X-API-Key`)",
    ),
    token: z.string().optional().describe("The service key, at least 32 characters"),
  }).superRefine(({ enabled, token = "" }, context) => {
    if (enabled) demands(context).demand(token.trim(), ["token"], "auth.s2s.enabled is true");
  }).prefault({}),
  ingestion: z.strictObject({
    filter: z.strictObject({
      enabled: z.boolean().default(false).describe(
        "Whether ingestion requires the token of a data source or collector",
      ),
    }).prefault({}),
  }).prefault({}),
  oauth2: oauth2.prefault({}),
  ldap: ldap.prefault({}),
}).superRefine((auth, context) => {
  const { type, oauth2: { client }, ldap: directory } = auth;
  const lacks = type === "OAUTH2" ? lackOfOAuth2(client) : type === "LDAP" && lackOfLdap(directory);
  const { issue } = demands(context);
  if (lacks) issue(["type"], lacks);
  const unknown = unknownAdministrator(auth);
  if (unknown === undefined) return;
  const problem = `names ${unknown}, who is not in auth.login-form-credentials`;
  issue(["login-form-administrators"], problem);
});

/** Sessions of people who signed in. */
export const session = z.strictObject({
  provider: z.enum(["IN_MEMORY", "INTERNAL_POSTGRESQL", "REDIS"]).optional().describe(
    "Where sessions are stored; unset: Redis where `cache.redis.url` is set, else memory, which a restart empties",
  ),
  "idle-timeout": someTime("8 h").describe("Time without a request after which a session ends"),
  "absolute-timeout": someTime("7 d").describe(
    "Time after which a session ends even if it is used",
  ),
  "max-per-user": z.int().min(1).max(1_000).default(50).describe(
    "Maximum number of sessions of one user; beyond it, the oldest ends",
  ),
});
