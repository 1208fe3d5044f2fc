import { z } from "zod";
import { address, demands, list, ssl } from "#platform/config/kinds.ts";

const text = () => z.string().trim().min(1).max(1_000).optional();
const isFilter = (given: string) =>
  given.startsWith("(") && given.endsWith(")") &&
  given.split("(").length === given.split(")").length;
const filter = (holder: RegExp, example: string) =>
  z.string().max(1_000).refine(
    (given) => holder.test(given) && isFilter(given),
    `must be a filter such as ${example}`,
  ).optional();

const url = address("ldaps://directory.example:636", ["ldap", "ldaps"]).refine(
  (given) => /^ldaps?:\/\/[^/?#@]+\/?$/i.test(given),
  "must be a host with or without a port, and nothing else: auth.ldap.base and auth.ldap.username are " +
    "keys of their own",
);

/** A directory in which people are looked up, and which checks their passwords. */
export const ldap = z.strictObject({
  url: url.optional().describe("Address of the directory, `ldaps://` for TLS"),
  username: text().describe(
    "DN (in Active Directory also a user name) that searches for people and groups; unset: " +
      "people are searched anonymously, groups with the user's own credentials",
  ),
  password: z.string().min(1).optional().describe("Its password"),
  "dn-pattern": z.string().max(1_000).refine(
    (given) => /^[A-Za-z][A-Za-z0-9-]*=[^,]*\{0\}/.test(given),
    "must be a DN with {0}, such as uid={0},ou=people",
  ).optional().describe(
    "DN of a user with `{0}` for the name, such as `uid={0},ou=people`; `base` is added to it",
  ),
  base: text().describe("Base DN of the directory, such as `dc=corp,dc=example`"),
  "user-filter": z.strictObject({
    "search-base": text().describe("DN under which people are searched; `base` is added to it"),
    filter: filter(/\{0\}/, "(uid={0})").describe(
      "Filter that finds a user, with `{0}` for the name, such as `(uid={0})`",
    ),
  }).prefault({}),
  "user-name-attribute": z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,99}$/, "must be an attribute")
    .optional().describe(
      "Attribute used as the user name; unset: that of `dn-pattern`, in Active Directory " +
        "`sAMAccountName`, else `uid`",
    ),
  groups: z.strictObject({
    "search-base": text().describe("DN under which groups are searched; `base` is added to it"),
    filter: filter(/\{[01]\}/, "(member={0})").describe(
      "Filter that finds the groups of a user, with `{0}` for the DN and `{1}` for the name; unset: by " +
        "`member` and `uniqueMember`",
    ),
    "admin-groups": list((entry) => entry.length <= 1_000, "must be names, separated by commas")
      .describe(
        "Names (`cn`) of groups whose members are administrators, separated by commas",
      ),
  }).prefault({}),
  "active-directory": z.strictObject({
    enabled: z.boolean().default(false).describe(
      "Whether it is Active Directory: people bind as `name@domain`, groups are those of `memberOf`",
    ),
    domain: z.string().regex(/^[A-Za-z0-9.-]{1,253}$/, "must be a domain such as corp.example")
      .optional().describe("Domain of the people, such as `corp.example`"),
  }).prefault({}),
  "start-tls": z.boolean().default(false).describe(
    "Whether connections to `ldap://` are upgraded to TLS with StartTLS",
  ),
  ssl: ssl(),
}).superRefine((given, context) => {
  const { demand, idle } = demands(context);
  const directory = given["active-directory"];
  const secured = /^ldaps:/i.test(given.url ?? "");
  if (given.username) demand(given.password, ["password"], "auth.ldap.username is set");
  else idle(given.password, ["password"], "without auth.ldap.username");
  if (directory.enabled) {
    demand(directory.domain, ["active-directory", "domain"], "it is Active Directory");
    idle(given["dn-pattern"], ["dn-pattern"], "in Active Directory");
  } else {
    idle(directory.domain, ["active-directory", "domain"], "unless it is Active Directory");
    if (given["user-filter"].filter) {
      idle(given["dn-pattern"], ["dn-pattern"], "where auth.ldap.user-filter.filter finds people");
    }
  }
  if (secured) idle(given["start-tls"], ["start-tls"], "with ldaps://, which is TLS already");
  else if (!given["start-tls"]) {
    idle(
      given.ssl["ca-file"],
      ["ssl", "ca-file"],
      "unless auth.ldap.url is ldaps:// or start-tls is on",
    );
  }
});
export type Ldap = z.output<typeof ldap>;

/** What is missing for `auth.type` LDAP. */
export function lackOfLdap(given: Ldap): string | undefined {
  if (!given.url) return "needs a directory: auth.ldap.url";
  const finds = given["dn-pattern"] || given["user-filter"].filter ||
    given["active-directory"].enabled;
  if (finds) return undefined;
  return "needs auth.ldap.dn-pattern, auth.ldap.user-filter.filter or auth.ldap.active-directory.enabled";
}
