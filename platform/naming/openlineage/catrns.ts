import { lookupCatrns, maxCatrnBytes } from "#contract/entities.ts";
import type {
  Candidate,
  CandidateName,
  DatasetKind,
  NameRef,
  NamingWarning,
} from "#platform/naming/model.ts";
import { cutTo, segment } from "#platform/naming/text.ts";
import { cleanDataset, cleanNamespace, namesFiles } from "./clean.ts";
import { cloudCandidate } from "./clouds.ts";
import { fileCandidate } from "./files.ts";
import { type Address, addressOf, parseNamespace } from "./parse.ts";
import { configuredDataset, configuredJob, type NamingSettings } from "./settings.ts";
import { tableCandidate } from "./tables.ts";

/** What a name means by the rules alone. */
export interface NamedDataset {
  /** The name as it is stored and compared (`cleanDataset`). */
  ref: NameRef;
  rule: string;
  kind: DatasetKind;
  catrn: string;
  /** Whether `catrn` is the one that stands for names of no rule. */
  generic: boolean;
  /** What of the catalogue may be meant; null when nothing but `catrn` can be. */
  candidateName: CandidateName | null;
  warnings: NamingWarning[];
}

/** Longer names and namespaces, in UTF-16 units, are not parsed. */
export const maxRuledName = 4_000;

/** The CATRN of a dataset's name by the rules, without reading the catalogue. Never throws. */
export function catrnsOf(given: NameRef, settings: NamingSettings): NamedDataset {
  const ref = cleanDataset(given, settings);
  const configured = configuredDataset(ref, settings);
  if (configured !== undefined) return only(ref, "configured", configured);
  const explicitCatrn = givenCatrn(ref);
  if (explicitCatrn !== undefined) return only(ref, "catrn", explicitCatrn);
  const tooLong = Math.max(ref.namespace.length, ref.name.length) > maxRuledName;
  const found = tooLong ? undefined : ruled(ref, settings);
  const none = generic(ref);
  if (!found) return { ...none, warnings: found === null ? [] : ["malformed"] };
  const { catrn } = found;
  return { ...found, ref, catrn: catrn ?? none.catrn, generic: catrn === null };
}

function only(ref: NameRef, rule: string, catrn: string): NamedDataset {
  const kind = kindOf(ref);
  return { ref, rule, kind, catrn, generic: false, candidateName: null, warnings: [] };
}

function kindOf({ namespace }: NameRef): DatasetKind {
  if (namesFiles(namespace)) return "FILE";
  return namespace.startsWith("kafka:") ? "KAFKA_TOPIC" : "TABLE";
}

function generic(ref: NameRef): NamedDataset {
  return { ...only(ref, "generic", genericCatrn(ref)), generic: true };
}

/** Null for a namespace without a rule, undefined for a name that does not match its rule. */
function ruled(
  { namespace, name }: NameRef,
  settings: NamingSettings,
): Candidate | null | undefined {
  const given = parseNamespace(namespace);
  const parsed = { ...given, addresses: given.addresses.map((one) => aliased(one, settings)) };
  const table = tableCandidate(parsed, name);
  if (table !== null) return table;
  const file = fileCandidate(parsed, name, settings);
  return file !== null ? file : cloudCandidate(parsed, name, settings);
}

/** The address under which the catalogue knows a host. */
function aliased(address: Address, { hosts }: NamingSettings): Address {
  const { host, port } = address;
  const whole = hosts.get(`${host}:${port}`);
  if (whole !== undefined) return addressOf(whole);
  const alias = addressOf(hosts.get(host) ?? host);
  return { host: alias.host, port: alias.port ?? port };
}

/** Prefix of the CATRNs of everything that only OpenLineage reports. */
export const openLineageRoot = "//openlineage/namespaces/";

/** Namespace whose names are CATRNs, under which what has no other name is exported. */
export const catrnNamespace = "tributary";

/** The CATRN that a name of that namespace is; undefined for any other name, and for that of a lookup table. */
function givenCatrn({ namespace, name }: NameRef): string | undefined {
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
