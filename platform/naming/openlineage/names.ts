/**
 * Names of OpenLineage and the CATRNs of what they name: everything that others need. Pure: `catrnsOf`, the CATRNs
 * of jobs, runs, tests and namespaces, and the way back; with the catalogue: `resolveNames`.
 */
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
export { exportedJobName, exportedName, openLineageNameOf } from "./inverse.ts";
export type { DatasetKind, Match, NameRef, NamingWarning, ResolvedName } from "./model.ts";
export { resolveNames } from "./resolve.ts";
export { catrnsOf, type NamedDataset } from "./rules.ts";
export { type NamingSettings, namingSettings } from "./settings.ts";
export { segment } from "#platform/naming/text.ts";
export { type NamingMemory, namingMemory } from "#platform/naming/memory.ts";
