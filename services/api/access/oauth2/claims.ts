import * as openid from "openid-client";
import { own } from "#kit/own.ts";
import type { CompleteClient } from "#platform/config/oauth2.ts";
import {
  longestName,
  maxPages,
  ProviderDown,
  SignInFailure,
} from "#services/api/access/oauth2/provider.ts";

/** What a provider says of a user. */
type Claims = Readonly<Record<string, unknown>>;

/** An answer as claims; none in one that is no object. */
export function claimsOf(answer: unknown): Claims {
  return answer !== null && typeof answer === "object" ? answer as Claims : {};
}

/** A claim by its name, or by a path such as `realm_access.roles`. */
export function claimAt(claims: Claims, name: string): unknown {
  const whole = own(claims, name);
  if (whole !== undefined) return whole;
  return name.split(".").reduce((at: unknown, step) => own(claimsOf(at), step), claims);
}

/** What is said of an e-mail address, and only together with it. */
const emailClaims = ["email", "email_verified", "hd"];

/**
 * The claims of an ID token with those of user information that it lacks. An address and whether it is verified come from
 * one of them: the one that has the address, or user information that verifies the very address of the ID token.
 */
export function joinedClaims(idToken: Claims, userInfo: Claims): Claims {
  const email = own(idToken, "email");
  const verifiedElsewhere = own(idToken, "email_verified") === undefined &&
    own(userInfo, "email") === email;
  const source = email === undefined || verifiedElsewhere ? userInfo : idToken;
  const rest = Object.entries({ ...userInfo, ...idToken }).filter(([name]) =>
    !emailClaims.includes(name)
  );
  const emails = Object.entries(source).filter(([name]) => emailClaims.includes(name));
  return Object.fromEntries([...rest, ...emails]);
}

/** The claims that are needed to evaluate a user; those that an ID token lacks are requested. */
export function requestedClaims(client: CompleteClient): string[] {
  const { "admin-attribute": attribute, "admin-groups": groups, "allowed-domain": domain } = client;
  const names = [
    client["user-name-attribute"],
    ...(attribute ? [attribute] : []),
    ...(groups.length > 0 ? [client["groups-claim"]] : []),
    ...(domain ? ["email"] : []),
  ];
  return names.includes("email") ? [...names, "email_verified"] : names;
}

/** Who signs in, by what the provider says. */
interface ProviderUser {
  username: string;
  admin: boolean;
}

/** The user that claims describe. Throws a `SignInFailure` for somebody who may not sign in. */
export function userOf(client: CompleteClient, claims: Claims): ProviderUser {
  requireDomain(client, claims);
  const attribute = client["user-name-attribute"];
  const username = nameOf(trusted(claims, attribute), attribute);
  return { username, admin: isPrincipal(client, claims) || isInGroup(client, claims) };
}

function requireDomain(client: CompleteClient, claims: Claims): void {
  const domain = client["allowed-domain"]?.toLowerCase();
  if (domain === undefined) return;
  const email = trusted(claims, "email");
  const [, given] = /@([^@]+)$/.exec(typeof email === "string" ? email : "") ?? [];
  // An account at Google belongs to a domain; an address of that domain may be anybody's.
  const found = client.provider === "google" ? email && own(claims, "hd") : given;
  if (typeof found === "string" && found.toLowerCase() === domain) return;
  throw new SignInFailure("not_allowed", `the user is not of the domain ${domain}`);
}

function isPrincipal(client: CompleteClient, claims: Claims): boolean {
  const { "admin-attribute": attribute, "admin-principals": principals } = client;
  if (principals.length === 0) return attribute !== undefined && isTrue(trusted(claims, attribute));
  const value = trusted(claims, attribute ?? client["user-name-attribute"]);
  return valuesOf(value).some((one) => principals.includes(one));
}

function isInGroup(client: CompleteClient, claims: Claims): boolean {
  const groups = valuesOf(claimAt(claims, client["groups-claim"]));
  return groups.some((group) => client["admin-groups"].includes(group));
}

/** The texts of a claim, which is one or a list of them. */
function valuesOf(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.flatMap((one) =>
    typeof one === "string" ? [one] : typeof one === "number" ? [String(one)] : []
  );
}

/** A claim that may be trusted: an e-mail address that is not verified is ignored. */
function trusted(claims: Claims, name: string): unknown {
  if (name === "email" && !isTrue(own(claims, "email_verified"))) return undefined;
  return claimAt(claims, name);
}

const isTrue = (value: unknown) => value === true || value === "true";

/**
 * A name that can be one, and reads as what it is: characters that nobody sees would let one user pass for another
 * to the administrators who bind users to owners. Throws a `SignInFailure` otherwise.
 */
export function nameOf(value: unknown, attribute: string): string {
  const name = typeof value === "number" || typeof value === "string" ? String(value) : "";
  const plain = name === name.trim() && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
  if (plain && name !== "" && name.length <= longestName) return name;
  throw new SignInFailure("no_name", `the provider sent no ${attribute} that could be a name`);
}

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
export async function gitHubUser(client: CompleteClient, read: ReadApi): Promise<ProviderUser> {
  const user = new URL(client["user-info-uri"]!);
  const claims = claimsOf(await read(user));
  const attribute = client["user-name-attribute"];
  const username = nameOf(claimAt(claims, attribute), attribute);
  const groups = client["admin-groups"].map((group) => group.toLowerCase());
  const organization = client["organization-name"]?.toLowerCase();
  const organizations = organization || groups.length > 0 ? await organizationsOf(user, read) : [];
  if (organization && !organizations.includes(organization)) {
    throw new SignInFailure("not_allowed", `the user is not of the organization ${organization}`);
  }
  const isAdmin = isGitHubPrincipal(client, claims) ||
    organizations.some((name) => groups.includes(name)) ||
    groups.some((group) => group.includes("/")) &&
      (await teamsOf(user, read)).some((team) => groups.includes(team));
  return { username, admin: isAdmin };
}

/** Names of users have no case at GitHub. */
function isGitHubPrincipal(client: CompleteClient, claims: Claims): boolean {
  const { "admin-attribute": attribute, "admin-principals": principals } = client;
  const value = claimAt(claims, attribute ?? client["user-name-attribute"]);
  if (principals.length === 0) return attribute !== undefined && value === true;
  return principals.some((one) => one.toLowerCase() === String(value).toLowerCase());
}

async function organizationsOf(user: URL, read: ReadApi): Promise<string[]> {
  return (await listed(user, "orgs", read)).map((one) => lower(one.login));
}

/** `organization/team`, as in the team's address. */
async function teamsOf(user: URL, read: ReadApi): Promise<string[]> {
  const teams = await listed(user, "teams", read);
  return teams.map((one) => `${lower(claimsOf(one.organization).login)}/${lower(one.slug)}`);
}

const lower = (value: unknown) => typeof value === "string" ? value.toLowerCase() : "";

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
