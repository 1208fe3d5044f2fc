import type { SourceNaming } from "#platform/composed-source/sources.ts";
import { datahubRoot, platformCatrn } from "#platform/naming/datahub/catrns.ts";
import { warningNamespace } from "./deps.ts";

/** Most platforms that get a data source of their own. */
const maxPlatforms = 1_000;

const reason = "more platforms than get a data source of their own; it stands under a shared one";

/** Each platform has a data source; beyond the limit further ones share one. */
export const platformSources: SourceNaming = {
  system: "DataHub",
  description: "Entities reported by collectors of DataHub",
  root: datahubRoot,
  max: maxPlatforms,
  shared: { catrn: `${datahubRoot}other`, name: "other platforms" },
  catrnOf: platformCatrn,
  warningOf: (name) => ({ namespace: warningNamespace, name, reason }),
};
