import { lookupCatrns, maxCatrnBytes } from "#contract/entities.ts";
import { cutTo, segment } from "#platform/naming/text.ts";
import type { NameRef } from "./model.ts";
import { cleanNamespace } from "./clean.ts";
import type { NamingSettings } from "./settings.ts";
import { configuredJob } from "./configured.ts";

/** Prefix of the CATRNs of everything that only OpenLineage reports. */
export const openLineageRoot = "//openlineage/namespaces/";

/** Namespace whose names are CATRNs, under which what has no other name is exported. */
export const catrnNamespace = "tributary";

/** The CATRN that a name of that namespace is; undefined for any other name, and for that of a lookup table. */
export function givenCatrn({ namespace, name }: NameRef): string | undefined {
  if (namespace !== catrnNamespace || !name.startsWith("//") || name.length < 3) return undefined;
  // Those are made in the catalogue alone, batches of them are refused.
  if (name.startsWith(lookupCatrns)) return undefined;
  return new TextEncoder().encode(name).length <= maxCatrnBytes ? name : undefined;
}

/** CATRN of the data source of all that stands under a namespace. */
export function namespaceCatrn(namespace: string): string {
  return openLineageRoot + segment(cleanNamespace(namespace));
}

/** CATRN of the data source of namespaces beyond `openlineage.max-namespaces`. */
export const otherNamespacesCatrn = `${openLineageRoot}other`;

/** CATRN of a dataset that no rule knows; two names never share one. */
export function genericCatrn({ namespace, name }: NameRef): string {
  return `${namespaceCatrn(namespace)}/datasets/${segment(name)}`;
}

/**
 * CATRN of a job: that of the first of `openlineage.jobs` that matches it, else its name if that is a CATRN, else one
 * under its namespace.
 */
export function jobCatrn(job: NameRef, settings: NamingSettings): string {
  return configuredJob(job, settings) ?? givenCatrn(job) ??
    `${namespaceCatrn(job.namespace)}/jobs/${segment(job.name)}`;
}

/** CATRN of a run of a job or of a test, by the CATRN of these. */
export function runCatrn(of: string, runId: string): string {
  return cutTo(`${of}/runs/${segment(runId)}`);
}

/**
 * CATRN of a test of a dataset. `name` is what its assertions call it, or `{assertion}` or
 * `{assertion}/{column}` for those without a name.
 */
export function testCatrn(dataset: string, name: string): string {
  return cutTo(`${dataset}/tests/openlineage/${segment(name)}`);
}
