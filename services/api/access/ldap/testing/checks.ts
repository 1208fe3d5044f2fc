import { silentLogger } from "#kit/log.ts";
import { type Clock, systemClock } from "#kit/clock.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Config } from "#platform/config/schema.ts";
import { ldapMode } from "#services/api/access/ldap/mode.ts";
import { suffix } from "#test/support/sign-in/slapd.ts";

export interface CheckOptions {
  /** Filled with what is logged as a warning. */
  warned?: string[];
  isFurtherName?: (name: string) => Promise<boolean>;
  /** By default failures are answered at once. */
  clock?: Clock;
}

const noWaiting: Clock = { ...systemClock, sleep: () => Promise.resolve() };

/** Checks by a directory that is configured so. */
export function checksBy(ldap: object, { warned = [], isFurtherName, clock }: CheckOptions = {}) {
  const config = Config.parse({ auth: { type: "LDAP", ldap: { base: suffix, ...ldap } } });
  const log = {
    ...silentLogger,
    warn: (_: string, fields: object = {}) => void warned.push(JSON.stringify(fields)),
  };
  const passwords = ldapMode({ config, log, metrics: noMetrics, clock: clock ?? noWaiting })
    .passwords!;
  const from = {
    network: "192.0.2.1",
    isFurtherName: isFurtherName ?? (() => Promise.resolve(true)),
  };
  return (name: string, password: string) => passwords.check(name, password, from);
}
