import {
  type Captures,
  compileCapturing,
  compileEnding,
  compilePattern,
  type Match,
} from "#kit/pattern.ts";
import type { Config } from "#platform/config/schema.ts";
import type { NameRef } from "#platform/naming/model.ts";
import { cutTo, escaped, segment } from "#platform/naming/text.ts";

/** One of `openlineage.datasets` or `openlineage.jobs`, compiled. */
interface NamingRule {
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

/** Names longer than this, UTF-16 units, are not compared with patterns, whose time grows with them. */
export const maxMatchedName = 2_000;

/** Prefix of our own CATRNs, whose segments are percent-encoded. */
const ownPrefix = "//openlineage/";

/** The CATRN by the first of `openlineage.jobs` that matches a job; undefined for none. */
export function configuredJob(job: NameRef, { jobs }: NamingSettings): string | undefined {
  return firstOf(jobs, job);
}

/** The CATRN by the first of `openlineage.datasets` that matches a dataset; undefined for none. */
export function configuredDataset(
  dataset: NameRef,
  { datasets }: NamingSettings,
): string | undefined {
  return firstOf(datasets, dataset);
}

function firstOf(rules: readonly NamingRule[], ref: NameRef): string | undefined {
  if (ref.name.length > maxMatchedName || ref.namespace.length > maxMatchedName) return undefined;
  for (const rule of rules) {
    const captured = rule.namespace(ref.namespace) ? rule.name(ref.name) : null;
    if (captured) return filled(rule.catrn, ref, captured);
  }
  return undefined;
}

function filled(template: string, ref: NameRef, captured: Map<string, string>): string {
  const encode = template.startsWith(ownPrefix) ? segment : escaped;
  const valueOf = (name: string) =>
    captured.get(name) ?? (name === "namespace" ? ref.namespace : ref.name);
  return cutTo(template.replace(/\{([^{}]*)\}/g, (_, name) => encode(valueOf(name))));
}
