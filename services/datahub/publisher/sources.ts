import { registerSources } from "#platform/composed-source/sources.ts";
import { datahubRoot, platformCatrn } from "#platform/naming/datahub/catrns.ts";
import { type PublisherDeps, warningNamespace } from "./deps.ts";

/** Most platforms that get a data source of their own. */
export const maxPlatforms = 1_000;

const shared = { catrn: `${datahubRoot}other`, name: "other platforms" };

/** The data source of each platform, registered if it is not there yet; beyond the limit they share one. */
export async function ensureSources(
  { db, intakeWarnings }: Pick<PublisherDeps, "db" | "intakeWarnings">,
  platforms: string[],
): Promise<Map<string, string>> {
  const { sources, sharing } = await registerSources(db, platforms, {
    system: "DataHub",
    description: "Entities reported by collectors of DataHub",
    root: datahubRoot,
    max: maxPlatforms,
    shared,
    catrnOf: platformCatrn,
  });
  for (const name of sharing) {
    const reason =
      "more platforms than get a data source of their own; it stands under a shared one";
    intakeWarnings.note({ namespace: warningNamespace, name, kind: "too_many", reason });
  }
  return sources;
}
