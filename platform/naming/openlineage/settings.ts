import type { Config } from "#platform/config/schema.ts";
import { compileCapturing, compileEnding, compilePattern, type Match } from "#kit/pattern.ts";
import type { Captures } from "#kit/pattern.ts";

/** One of `openlineage.datasets` or `openlineage.jobs`, compiled. */
export interface NamingRule {
  namespace: Match;
  name(text: string): Captures | null;
  /** CATRN with placeholders. */
  catrn: string;
}

/** The operator's settings for names, compiled once. */
export interface NamingSettings {
  /** By alias in lower case. */
  hosts: ReadonlyMap<string, string>;
  datasets: readonly NamingRule[];
  jobs: readonly NamingRule[];
  /** Each returns the length of a path without the suffix that it matches. */
  pathEnds: readonly ((path: string) => number)[];
  awsAccount: string | null;
  gcpProject: string | null;
}

/** The settings of names out of the configuration, which was checked when it was read. */
export function namingSettings(config: Config["openlineage"]): NamingSettings {
  return {
    hosts: config.hosts,
    datasets: config.datasets.map(compileRule),
    jobs: config.jobs.map(compileRule),
    pathEnds: config["path-patterns"].map(compileEnding),
    awsAccount: config["aws-account"] ?? null,
    gcpProject: config["gcp-project"] ?? null,
  };
}

function compileRule(rule: Config["openlineage"]["jobs"][number]): NamingRule {
  return {
    namespace: compilePattern(rule.namespace),
    name: compileCapturing(rule.name),
    catrn: rule.catrn,
  };
}
