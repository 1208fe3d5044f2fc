import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Config } from "#platform/config/schema.ts";
import { ldapMode } from "#services/api/access/ldap/mode.ts";
import { suffix } from "#test/support/sign-in/slapd.ts";

/** Checks by a directory that is configured so. */
export function checksBy(ldap: object, warned: string[] = []) {
  const config = Config.parse({ auth: { type: "LDAP", ldap: { base: suffix, ...ldap } } });
  const log = {
    ...silentLogger,
    warn: (_: string, fields: object = {}) => void warned.push(JSON.stringify(fields)),
  };
  return ldapMode({ config, log, metrics: noMetrics }).passwords!.check;
}
