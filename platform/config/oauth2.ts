import { z } from "zod";
import { demands } from "#platform/config/kinds.ts";
import {
  client,
  type OAuth2Client,
  redirectOf,
  redirectTemplate,
} from "#platform/config/oauth2-client.ts";
import { completed } from "#platform/config/oauth2-providers.ts";

const badId = "has an id that is not 1 to 40 of a-z, 0-9 and -";

/** The most clients that are configured at once. */
const maxClients = 50;

/** Identity providers that people are sent to. */
export const oauth2 = z.strictObject({
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
  const { demand, idle } = demands(context);
  const whole = completed(id, given);
  const at = (name: string) => [id, name];
  demand(given["client-id"], at("client-id"), "a client is configured");
  if (!given.pkce) demand(given["client-secret"], at("client-secret"), "pkce is off");
  if (whole.openid) {
    demand(
      whole["issuer-uri"],
      at("issuer-uri"),
      "the scope has openid: ID tokens must name their issuer",
    );
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
    const message = `must end with /login/oauth2/code/${id}, where people are awaited`;
    context.addIssue({ code: "custom", path: at("redirect-uri"), message });
  }
}

/** What is missing for `auth.type` OAUTH2. */
export function lackOfOAuth2(clients: Record<string, OAuth2Client>): string | undefined {
  if (Object.keys(clients).length > 0) return undefined;
  return "needs a provider: auth.oauth2.client.{id}.client-id and what belongs to it";
}
