import type { SourceNaming } from "#platform/composed-source/sources.ts";
import {
  namespaceCatrn,
  openLineageRoot,
  otherNamespacesCatrn,
} from "#platform/naming/openlineage/catrns.ts";

const reason = "more namespaces than openlineage.max-namespaces; it stands under a shared one";

/** Each namespace has a data source; beyond `openlineage.max-namespaces` further ones share one. */
export const namespaceSources = (max: number): SourceNaming => ({
  system: "OpenLineage",
  description: "Jobs, runs and datasets reported by OpenLineage events",
  root: openLineageRoot,
  max,
  shared: { catrn: otherNamespacesCatrn, name: "other namespaces" },
  catrnOf: namespaceCatrn,
  warningOf: (namespace) => ({ namespace, name: "", reason }),
});
