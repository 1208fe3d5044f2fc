import type { Ldap } from "#platform/config/ldap.ts";
import type { Connection, DirectoryEntry } from "#services/api/access/ldap/connection.ts";

/** Whom to find. */
interface Credentials {
  name: string;
  password: string;
  /** Called with the entry of the name before the password is checked, if it is found by then; false: no sign-in. */
  known(entry: DirectoryEntry): Promise<boolean>;
  /** The same with a name alone. */
  isFurtherName(name: string): Promise<boolean>;
}

/** The entry for this name and password; undefined for none, and for several. */
type FindPerson = (
  connection: Connection,
  credentials: Credentials,
) => Promise<DirectoryEntry | undefined>;

/** The attribute that names people, in lower case. */
export function nameAttribute(config: Ldap): string {
  const ofPattern = config["dn-pattern"]?.split("=")[0];
  const usual = config["active-directory"].enabled ? "sAMAccountName" : ofPattern ?? "uid";
  return (config["user-name-attribute"] ?? usual).toLowerCase();
}

/** How people are found, by the configuration. */
export function finderOf(config: Ldap): FindPerson {
  if (config["active-directory"].enabled) return inActiveDirectory(config);
  const filter = config["user-filter"].filter;
  return filter ? bySearch(config, filter) : byPattern(config, config["dn-pattern"] ?? "");
}

/** From now on the connection searches as the configured account, if there is one. */
export async function asSearcher(connection: Connection, config: Ldap): Promise<void> {
  if (!config.username) return;
  if (await connection.bind(config.username, config.password ?? "")) return;
  throw new Error("auth.ldap.username or auth.ldap.password is refused");
}

const wanted = (config: Ldap) => [nameAttribute(config), "memberOf"];

/** They bind by the DN that their name makes. */
function byPattern(config: Ldap, pattern: string): FindPerson {
  return async (connection, { name, password }) => {
    const dn = under(filled(pattern, [dnValue(name)]), config.base);
    if (!await connection.bind(dn, password)) return undefined;
    await asSearcher(connection, config);
    const found = await connection.search({
      base: dn,
      scope: "base",
      filter: "(objectClass=*)",
      attributes: wanted(config),
      max: 1,
    });
    if (found?.length === 1) return found[0];
    throw new Error("users may not read their own entry; set auth.ldap.username");
  };
}

/** The configured account searches their entry, then they bind by its DN. */
function bySearch(config: Ldap, filter: string): FindPerson {
  return async (connection, { name, password, known }) => {
    await asSearcher(connection, config);
    const found = await searched(connection, config, filled(filter, [filterValue(name)]));
    if (!found || !await known(found)) return undefined;
    return await connection.bind(found.dn, password) ? found : undefined;
  };
}

async function searched(connection: Connection, config: Ldap, filter: string) {
  const base = under(config["user-filter"]["search-base"], baseOf(config));
  const found = await connection.search({ base, filter, attributes: wanted(config), max: 2 });
  return found?.length === 1 ? found[0] : undefined;
}

/** The configured base, or the one that Active Directory has for its domain. */
export function baseOf(
  { base, "active-directory": { enabled, domain } }: Ldap,
): string | undefined {
  if (base || !enabled) return base;
  return domain?.split(".").map((part) => `dc=${part}`).join(",");
}

/**
 * They bind as `name@domain`. A name that has a domain is a `userPrincipalName`; of one without, both the
 * principal and the account may be meant, and must then be one person's.
 */
function inActiveDirectory(config: Ldap): FindPerson {
  const domain = config["active-directory"].domain ?? "";
  return async (connection, { name, password, known, isFurtherName }) => {
    const principal = name.includes("@") ? name : `${name}@${domain}`;
    const [account = "", ...rest] = principal.split("@");
    const isOurs = rest.join("@").toLowerCase() === domain.toLowerCase();
    const given = config["user-filter"].filter;
    const filter = given
      ? filled(given, [filterValue(name)])
      : filterOf(principal, isOurs && account);
    const find = () => searched(connection, config, filter);
    if (config.username) {
      await asSearcher(connection, config);
      const found = await find();
      if (found && !await known(found)) return undefined;
    } else if (!await isFurtherName(principal)) return undefined;
    if (!await connection.bind(principal, password)) return undefined;
    await asSearcher(connection, config);
    return await find();
  };
}

function filterOf(principal: string, account: string | false): string {
  const byPrincipal = `(userPrincipalName=${filterValue(principal)})`;
  const either = account
    ? `(|${byPrincipal}(sAMAccountName=${filterValue(account)}))`
    : byPrincipal;
  return `(&(objectClass=user)${either})`;
}

/** An escaped character. Filters and DNs escape single ASCII characters, so other text stays what it is. */
const hex = (character: string) =>
  `\\${character.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`;

/** A value for a filter (RFC 4515, section 3). */
export function filterValue(text: string): string {
  return text.replace(/[\\*()\0]/g, hex);
}

/** A value for a DN (RFC 4514, section 2.4), escaped by numbers throughout. */
export function dnValue(text: string): string {
  return text.replace(/[\\,+"<>;=#\0]|^ | $/g, hex);
}

/** A template with `{0}`, `{1}` … replaced. The values are in place already escaped. */
export function filled(template: string, values: readonly string[]): string {
  return template.replace(/\{([01])\}/g, (whole, index) => values[Number(index)] ?? whole);
}

/** A DN under a base; one that lies there already stays as it is. */
export function under(dn: string | undefined, base: string | undefined): string {
  if (!dn || !base) return dn ?? base ?? "";
  const trimmed = (text: string, by: string) => text.split(by).map((part) => part.trim()).join(by);
  const plain = (text: string) => trimmed(trimmed(text, ","), "=").toLowerCase();
  const [inner, outer] = [plain(dn), plain(base)];
  return inner === outer || inner.endsWith(`,${outer}`) ? dn : `${dn},${base}`;
}
