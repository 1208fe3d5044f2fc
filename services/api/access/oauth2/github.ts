import * as openid from "openid-client";
import type { CompleteClient } from "#platform/config/oauth2.ts";
import { claimAt, type Claims, claimsOf, nameOf } from "#services/api/access/oauth2/claims.ts";
import { ProviderDown, SignInFailure } from "#services/api/access/oauth2/failure.ts";
import { maxPages } from "#services/api/access/oauth2/limits.ts";

/** Reads an address of the provider's API on behalf of a user. */
type ReadApi = (url: URL) => Promise<unknown>;

/** Reads with an access token. Throws `ProviderDown`, or a `SignInFailure` where the token is not taken. */
export function readerWith(configuration: openid.Configuration, accessToken: string): ReadApi {
  return async (url) => {
    const headers = new Headers({ accept: "application/json" });
    const answer = await openid.fetchProtectedResource(
      configuration,
      accessToken,
      url,
      "GET",
      null,
      headers,
    );
    const { pathname } = url;
    if (!answer.ok) throw new SignInFailure("rejected", `${pathname} answers ${answer.status}`);
    return await answer.json().catch((error) => {
      throw new SignInFailure("rejected", `${pathname} answers no JSON`, error);
    });
  };
}

/** The user of GitHub whose token `read` has, by its API: organizations and teams make administrators. */
export async function gitHubUser(
  client: CompleteClient,
  read: ReadApi,
): Promise<{ username: string; admin: boolean }> {
  const user = new URL(client["user-info-uri"]!);
  const claims = claimsOf(await read(user));
  const username = nameOf(
    claimAt(claims, client["user-name-attribute"]),
    client["user-name-attribute"],
  );
  const groups = client["admin-groups"].map((group) => group.toLowerCase());
  const organization = client["organization-name"]?.toLowerCase();
  const organizations = organization || groups.length > 0 ? await organizationsOf(user, read) : [];
  if (organization && !organizations.includes(organization)) {
    throw new SignInFailure("not_allowed", `the user is not of the organization ${organization}`);
  }
  const isAdmin = isPrincipal(client, claims) ||
    organizations.some((name) => groups.includes(name)) ||
    groups.some((group) => group.includes("/")) &&
      (await teamsOf(user, read)).some((team) => groups.includes(team));
  return { username, admin: isAdmin };
}

/** Names of users have no case at GitHub. */
function isPrincipal(client: CompleteClient, claims: Claims): boolean {
  const { "admin-attribute": attribute, "admin-principals": principals } = client;
  const value = claimAt(claims, attribute ?? client["user-name-attribute"]);
  if (principals.length === 0) return attribute !== undefined && value === true;
  return principals.some((one) => one.toLowerCase() === String(value).toLowerCase());
}

const lower = (value: unknown) => typeof value === "string" ? value.toLowerCase() : "";

async function organizationsOf(user: URL, read: ReadApi): Promise<string[]> {
  return (await listed(user, "orgs", read)).map((one) => lower(one.login));
}

/** `organization/team`, as in the team's address. */
async function teamsOf(user: URL, read: ReadApi): Promise<string[]> {
  const teams = await listed(user, "teams", read);
  return teams.map((one) => `${lower(claimsOf(one.organization).login)}/${lower(one.slug)}`);
}

async function listed(user: URL, list: string, read: ReadApi): Promise<Claims[]> {
  const all: Claims[] = [];
  for (let page = 1; page <= maxPages; page++) {
    const url = new URL(`${user.href.replace(/\/$/, "")}/${list}`);
    url.search = new URLSearchParams({ per_page: "100", page: String(page) }).toString();
    const items = await read(url);
    if (!Array.isArray(items)) {
      throw new SignInFailure("rejected", `${url.pathname} answers no list`);
    }
    all.push(...items.map(claimsOf));
    if (items.length < 100) return all;
  }
  throw new ProviderDown(`a user has more than ${maxPages * 100} ${list}`);
}
