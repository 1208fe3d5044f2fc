/**
 * Names of OpenLineage and the CATRNs of what they name: everything that others need. Pure: `catrnsOf`, the CATRNs
 * of jobs, runs, tests and namespaces, and the way back; with the catalogue: `resolveNames`.
 */
import { nameOfSegment } from "#platform/naming/text.ts";
import { segmentsOf } from "#platform/naming/candidate-name.ts";
import { catrnNamespace, openLineageRoot } from "./catrns.ts";
import { redshiftShort } from "./hosts.ts";
import { inverseOf, tablesOrViews, valuesAt } from "./inverse-others.ts";
import type { NameRef } from "./model.ts";
import { addressOf, joinName } from "./parse.ts";
import { type TableRule, tableRules } from "./tables.ts";

export {
  catrnNamespace,
  genericCatrn,
  jobCatrn,
  namespaceCatrn,
  openLineageRoot,
  otherNamespacesCatrn,
  runCatrn,
  testCatrn,
} from "./catrns.ts";
export { cleanDataset, cleanNamespace } from "./clean.ts";
export type { DatasetKind, Match, NameRef, NamingWarning, ResolvedName } from "./model.ts";
export { resolveNames } from "./resolve.ts";
export { catrnsOf, type NamedDataset } from "./rules.ts";
export { type NamingSettings, namingSettings } from "./settings.ts";
export { segment } from "#platform/naming/text.ts";
export { type NamingMemory, namingMemory } from "#platform/naming/memory.ts";

/**
 * The name that OpenLineage gives the dataset of a CATRN: the one that it prescribes, with the port that is
 * usual; undefined when no rule makes such CATRNs.
 */
export function openLineageNameOf(catrn: string): NameRef | undefined {
  if (!catrn.startsWith("//")) return undefined;
  const segments = segmentsOf(catrn);
  if (catrn.startsWith(openLineageRoot)) return ofOurs(segments, "datasets");
  const [system = "", ...rest] = segments;
  const rule = tableRules.find((one) => one.system === system);
  return rule ? ofTable(rule, rest) : inverseOf(system, rest);
}

/**
 * The name under which a dataset is exported: `openLineageNameOf`, else its CATRN, which is read back as it is, but for
 * that of a lookup table.
 */
export function exportedName(catrn: string): NameRef {
  return openLineageNameOf(catrn) ?? { namespace: catrnNamespace, name: catrn };
}

/** The name under which a job is exported: that which events gave it, else its CATRN, which is read back as it is. */
export function exportedJobName(catrn: string): NameRef {
  const given = catrn.startsWith(openLineageRoot) ? ofOurs(segmentsOf(catrn), "jobs") : undefined;
  return given ?? { namespace: catrnNamespace, name: catrn };
}

function ofOurs(
  [, , namespace, kind, name, ...rest]: string[],
  wanted: "datasets" | "jobs",
): NameRef | undefined {
  if (kind !== wanted || name === undefined || rest.length > 0) return undefined;
  const names = [nameOfSegment(namespace!), nameOfSegment(name)];
  const [given, own] = names;
  return given === undefined || own === undefined ? undefined : { namespace: given, name: own };
}

function ofTable(rule: TableRule, segments: string[]): NameRef | undefined {
  const order = rule.order ?? rule.levels;
  const labels = order.map((level) => (level === "tables" ? tablesOrViews : level));
  const values = valuesAt(segments, ["host", ...labels]);
  if (!values) return undefined;
  const [host, ...names] = values;
  const levelNames = rule.levels.map((level, at) => {
    const text = names[order.indexOf(level)]!;
    const upper = at >= (rule.upperFrom ?? Infinity);
    return { text, quoted: upper && text !== text.toUpperCase() };
  });
  return {
    namespace: `${rule.schemes[0]}://${authorityOf(rule, host!)}`,
    name: nameOf(rule, levelNames),
  };
}

/** A collection's name may hold dots without quotes. */
function nameOf(rule: TableRule, segments: { text: string; quoted: boolean }[]): string {
  const last = segments.at(-1)!;
  const dotted = rule.levels.at(-1) === "collections" && !/^["`[]|\.["`[]/.test(last.text);
  return dotted ? `${joinName(segments.slice(0, -1))}.${last.text}` : joinName(segments);
}

function authorityOf({ system, port }: TableRule, host: string): string {
  if (system === "snowflake") return host.replace(/\.snowflakecomputing\.com$/i, "").toLowerCase();
  const address = addressOf(host);
  const name = system === "redshift" ? redshiftShort(address.host) ?? address.host : address.host;
  const shownPort = address.port ?? (portless.has(system) ? null : port);
  return shownPort === null ? name : `${name}:${shownPort}`;
}

/** Systems whose namespaces omit the port unless it is unusual. */
const portless = new Set(["databricks_unity_catalog"]);
