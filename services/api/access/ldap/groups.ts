import type { Ldap } from "#platform/config/ldap.ts";
import type { Connection, DirectoryEntry } from "#services/api/access/ldap/connection.ts";
import { filled, filterValue, under } from "#services/api/access/ldap/escape.ts";
import { maxGroups } from "#services/api/access/ldap/limits.ts";
import { asSearcher, baseOf } from "#services/api/access/ldap/people.ts";

const usualFilter = "(|(member={0})(uniqueMember={0}))";

/** Whether a user is in one of the groups of administrators; nested groups are what the filter makes of them. */
export async function isAdministrator(
  connection: Connection,
  config: Ldap,
  person: { entry: DirectoryEntry; name: string },
): Promise<boolean> {
  const wanted = config.groups["admin-groups"].map((name) => name.toLowerCase());
  if (wanted.length === 0) return false;
  const base = under(config.groups["search-base"], baseOf(config));
  const names = config["active-directory"].enabled && !config.groups.filter
    ? memberships(person.entry, base)
    : await searched(connection, config, base, person);
  return names.some((name) => wanted.includes(name.toLowerCase()));
}

async function searched(
  connection: Connection,
  config: Ldap,
  base: string,
  { entry, name }: { entry: DirectoryEntry; name: string },
): Promise<string[]> {
  await asSearcher(connection, config);
  const filter = config.groups.filter ?? usualFilter;
  const found = await connection.search({
    base,
    filter: filled(filter, [filterValue(entry.dn), filterValue(name)]),
    attributes: ["cn"],
    max: maxGroups,
  });
  if (!found) throw new Error(`a user is in more than ${maxGroups} groups`);
  return found.flatMap(({ values }) => values.get("cn") ?? []);
}

/** Names of the groups listed in an entry itself; another unit may have groups of the same names. */
function memberships({ values }: DirectoryEntry, base: string): string[] {
  const all = values.get("memberof") ?? [];
  return all.filter((dn) => under(dn, base) === dn).slice(0, maxGroups).map(firstValue);
}

/** `Data admins` of `CN=Data admins,OU=Groups,DC=corp,DC=example`. */
function firstValue(dn: string): string {
  const [, value = ""] = /^[^=]*=((?:\\.|[^,\\+])*)/.exec(dn) ?? [];
  return value.replace(/\\([0-9A-Fa-f]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\(.)/g, "$1");
}
