import { registerSources } from "#platform/composed-source/sources.ts";
import {
  namespaceCatrn,
  openLineageRoot,
  otherNamespacesCatrn,
} from "#platform/naming/openlineage/catrns.ts";
import type { PublisherDeps } from "./deps.ts";

/**
 * The data source of each namespace, registered if it is not there yet. Beyond `openlineage.max-namespaces`
 * further ones share one, which an intake warning reports.
 */
export async function ensureSources(
  { db, config, intakeWarnings }: Pick<PublisherDeps, "db" | "config" | "intakeWarnings">,
  namespaces: string[],
): Promise<Map<string, string>> {
  const { sources, sharing } = await registerSources(db, namespaces, {
    system: "OpenLineage",
    description: "Jobs, runs and datasets reported by OpenLineage events",
    root: openLineageRoot,
    max: config["max-namespaces"],
    shared: { catrn: otherNamespacesCatrn, name: "other namespaces" },
    catrnOf: namespaceCatrn,
  });
  for (const namespace of sharing) {
    const reason = "more namespaces than openlineage.max-namespaces; it stands under a shared one";
    intakeWarnings.note({ namespace, name: "", kind: "too_many", reason });
  }
  return sources;
}
