import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configurationMarkdown } from "#platform/config/keys.ts";
import { ConfigError, loadConfig } from "#platform/config/load.ts";
import { completed } from "#platform/config/oauth2.ts";
import { plainSecrets } from "#platform/config/exposure.ts";
import { masked } from "#platform/secrets.ts";

type Env = Record<string, string>;

function load(env: Env, text = "") {
  const file = join(mkdtempSync(join(tmpdir(), "sign-in-")), "tributary.yaml");
  writeFileSync(file, text);
  return loadConfig({ env, file });
}

function problems(env: Env, text = ""): string[] {
  try {
    load(env, text);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const client = (name: string, key: string) => `AUTH_OAUTH2_CLIENT_${name}_${key}`;
const google = {
  AUTH_TYPE: "OAUTH2",
  [client("GOOGLE", "CLIENT_ID")]: "id",
  [client("GOOGLE", "CLIENT_SECRET")]: "hunter2-google",
};

describe("clients of identity providers", () => {
  it("have any id, in the file and in the environment, which wins key by key", () => {
    const text = "auth: { type: OAUTH2, oauth2: { client: { my-idp: { client-id: file, " +
      "client-secret: s, issuer-uri: 'https://idp.example', client-name: Ours } } } }";
    const { client: clients } = load({
      ...google,
      [client("MY_IDP", "CLIENT_ID")]: "environment",
      [client("MY_IDP", "PKCE")]: "false",
      [client("MY_IDP", "ADMIN_GROUPS")]: "a, b",
    }, text).auth.oauth2;
    expect(Object.keys(clients).sort()).toEqual(["google", "my-idp"]);
    expect(clients["my-idp"]).toMatchObject({
      "client-id": "environment",
      "client-name": "Ours",
      pkce: false,
      "admin-groups": ["a", "b"],
    });
  });

  it.each<[string, Env, RegExp]>([
    ["no client", { AUTH_TYPE: "OAUTH2" }, /^auth\.type: "OAUTH2" needs a provider: auth\.oauth2/],
    [
      "no id",
      { [client("GOOGLE", "CLIENT_SECRET")]: "hunter2" },
      /^auth\.oauth2\.client\.google\.client-id: nothing is required/,
    ],
    [
      "an unknown key",
      { ...google, [client("GOOGLE", "CLIENT_SECRT")]: "hunter2" },
      /^AUTH_OAUTH2_CLIENT_GOOGLE_CLIENT_SECRT: .* nearest is AUTH_OAUTH2_CLIENT_GOOGLE_CLIENT_SECRET$/,
    ],
    [
      "no issuer",
      { [client("KEYCLOAK", "CLIENT_ID")]: "id" },
      /^auth\.oauth2\.client\.keycloak\.issuer-uri: nothing is required when the scope has openid/,
    ],
    [
      "no addresses of plain OAuth 2",
      {
        [client("X", "CLIENT_ID")]: "id",
        [client("X", "SCOPE")]: "user",
        [client("X", "TOKEN_URI")]: "https://x.example/t",
        [client("X", "USER_INFO_URI")]: "https://x.example/u",
      },
      /^auth\.oauth2\.client\.x\.authorization-uri: nothing is required when there is no issuer-uri/,
    ],
    [
      "no secret and no PKCE",
      {
        AUTH_TYPE: "OAUTH2",
        [client("GOOGLE", "CLIENT_ID")]: "id",
        [client("GOOGLE", "PKCE")]: "false",
      },
      /^auth\.oauth2\.client\.google\.client-secret: the value given is required when pkce is off/,
    ],
    [
      "an organization that only GitHub has",
      { ...google, [client("GOOGLE", "ORGANIZATION_NAME")]: "acme" },
      /organization-name: "acme" does nothing unless the provider is github/,
    ],
    [
      "a domain that GitHub does not tell",
      { [client("GITHUB", "CLIENT_ID")]: "id", [client("GITHUB", "ALLOWED_DOMAIN")]: "a.example" },
      /allowed-domain: "a\.example" does nothing with the provider github/,
    ],
    [
      "an address that is none",
      { ...google, [client("GOOGLE", "ISSUER_URI")]: "javascript:alert(1)" },
      /issuer-uri: "javascript:alert\(1\)" must be an http:\/\/ or https:\/\/ URL/,
    ],
    [
      "a way back that does not lead here",
      { ...google, [client("GOOGLE", "REDIRECT_URI")]: "{baseUrl}/login/oauth2/code/other" },
      /redirect-uri: .* must end with \/login\/oauth2\/code\/google/,
    ],
    [
      "another provider",
      { ...google, [client("GOOGLE", "PROVIDER")]: "gogle" },
      /^auth\.oauth2\.client\.google\.provider: "gogle" .*"azure"\|.*"google"/,
    ],
  ])("%s is a problem, told by its key", (_, env, expected) => {
    expect(problems(env)).toEqual([expect.stringMatching(expected)]);
  });

  it("an unknown key of a file is told with the nearest, and a wrong id with what is allowed", () => {
    const at = (id: string, more: string) =>
      problems(google, `auth: { oauth2: { client: { ${id}: { client-id: x, ${more} } } } }`);
    expect(at("google", "client-scret: hunter2"))
      .toEqual([
        "auth.oauth2.client.google.client-scret: unknown key; the nearest is " +
        "auth.oauth2.client.google.client-secret",
      ]);
    expect(at("My_IdP", "issuer-uri: 'https://a.example'"))
      .toEqual([
        expect.stringMatching(
          /^auth\.oauth2\.client\.My_IdP: the value given has an id that is not 1 to 40/,
        ),
      ]);
  });

  it("never show their secret, nor is it logged", () => {
    expect(problems({ ...google, [client("GOOGLE", "PKCE")]: "maybe" }).join()).not.toContain(
      "hunter2",
    );
    load(google);
    expect(masked("it was hunter2-google")).toBe("it was ***");
    const given = { ...google, [client("GOOGLE", "TOKEN_URI")]: "https://t.example/token" };
    load(given);
    expect(masked("https://t.example/token")).toBe("https://t.example/token");
  });

  it("have the defaults of the provider that they name, or that their id names", () => {
    const { client: clients } = load({
      ...google,
      [client("WORK", "PROVIDER")]: "github",
      [client("WORK", "CLIENT_ID")]: "id",
    }).auth.oauth2;
    expect(completed("google", clients.google!)).toMatchObject({
      title: "Google",
      "issuer-uri": "https://accounts.google.com",
      "user-name-attribute": "email",
      scopes: ["openid", "profile", "email"],
      openid: true,
    });
    expect(completed("work", clients.work!)).toMatchObject({
      title: "GitHub",
      "token-uri": "https://github.com/login/oauth/access_token",
      scopes: ["read:user", "read:org"],
      openid: false,
    });
  });

  it("are told of where they are asked without TLS", () => {
    const plain = { ...google, [client("GOOGLE", "TOKEN_URI")]: "http://idp.example/token" };
    expect(plainSecrets(load(plain)).warned).toEqual([
      { key: "auth.oauth2.client.google.token-uri", host: "idp.example", instead: "https://" },
    ]);
    expect(plainSecrets(load(google)).warned).toEqual([]);
  });

  it("stand in the documentation with a name in place of theirs", () => {
    expect(configurationMarkdown()).toContain(
      "| `auth.oauth2.client.{id}.client-secret` | `AUTH_OAUTH2_CLIENT_<ID>_CLIENT_SECRET` | unset |",
    );
  });
});

describe("a directory", () => {
  const ldap = { AUTH_TYPE: "LDAP", AUTH_LDAP_URL: "ldaps://ldap.example" };
  const pattern = { ...ldap, AUTH_LDAP_DN_PATTERN: "uid={0},ou=people" };

  it.each<[string, Env, RegExp]>([
    ["no address", { AUTH_TYPE: "LDAP" }, /^auth\.type: "LDAP" needs a directory: auth\.ldap\.url/],
    [
      "no way to find people",
      ldap,
      /^auth\.type: "LDAP" needs auth\.ldap\.dn-pattern, auth\.ldap\.user-f/,
    ],
    [
      "two ways to find people",
      { ...pattern, AUTH_LDAP_USER_FILTER_FILTER: "(uid={0})" },
      /^auth\.ldap\.dn-pattern: .* does nothing where auth\.ldap\.user-filter\.filter finds people/,
    ],
    [
      "a filter that is none",
      { ...ldap, AUTH_LDAP_USER_FILTER_FILTER: "uid={0}" },
      /must be a filter such/,
    ],
    [
      "a pattern that is none",
      { ...ldap, AUTH_LDAP_DN_PATTERN: "people" },
      /must be a DN with \{0\}/,
    ],
    [
      "an account without a password",
      { ...pattern, AUTH_LDAP_USERNAME: "cn=m" },
      /^auth\.ldap\.password: the value given is required when auth\.ldap\.username is set/,
    ],
    [
      "a password in the address",
      { ...pattern, AUTH_LDAP_URL: "ldap://u:hunter2@h" },
      /must be a host/,
    ],
    ["a base in the address", { ...pattern, AUTH_LDAP_URL: "ldap://h/dc=a" }, /auth\.ldap\.base/],
    [
      "Active Directory without a domain",
      { ...ldap, AUTH_LDAP_ACTIVE_DIRECTORY_ENABLED: "true" },
      /^auth\.ldap\.active-directory\.domain: nothing is required when it is Active Directory/,
    ],
    ["STARTTLS in TLS", { ...pattern, AUTH_LDAP_START_TLS: "true" }, /does nothing with ldaps/],
    [
      "a certificate without TLS",
      { ...pattern, AUTH_LDAP_URL: "ldap://h", AUTH_LDAP_SSL_CA_FILE: "ca.pem" },
      /^auth\.ldap\.ssl\.ca-file: "ca\.pem" does nothing unless/,
    ],
  ])("%s is a problem, told by its key", (_, env, expected) => {
    const found = problems(env);
    expect(found[0]).toMatch(expected);
    expect(found.join()).not.toContain("hunter2");
  });

  it("is told of where passwords go there without TLS", () => {
    const plain = { ...pattern, AUTH_LDAP_URL: "ldap://ldap.example" };
    expect(plainSecrets(load(plain)).warned).toMatchObject([{
      key: "auth.ldap.url",
      host: "ldap.example",
    }]);
    for (const safe of [pattern, { ...plain, AUTH_LDAP_START_TLS: "true" }]) {
      expect(plainSecrets(load(safe)).warned).toEqual([]);
    }
    expect(plainSecrets(load({ ...plain, AUTH_LDAP_URL: "ldap://127.0.0.1:389" })).warned).toEqual(
      [],
    );
  });
});
