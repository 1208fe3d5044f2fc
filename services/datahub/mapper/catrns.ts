import { ownCatrn } from "#platform/naming/datahub/catrns.ts";
import { parseUrn, platformOf } from "#platform/naming/datahub/urn.ts";
import { textOf } from "#platform/datahub/values.ts";
import { type Aspects } from "./facts.ts";

/** Platform of what names none. */
const noPlatform = "datahub";

/** The platform of an entity by its aspects. */
export function reportedPlatform(aspects: Aspects): string {
  const platform = textOf(aspects.get("dataPlatformInstance")?.platform);
  return platform === undefined ? noPlatform : platformOf(platform);
}

/** CATRN of an entity that is no dataset and no run; undefined for a type that is not mapped. */
export function entityCatrn(urn: string, aspects: Aspects): string | undefined {
  const parsed = parseUrn(urn);
  if (!parsed) return undefined;
  const [first = "", second = "", third = ""] = parsed.parts;
  switch (parsed.type) {
    case "dataFlow":
      return ownCatrn(platformOf(first), "flows", third, second);
    case "dataJob": {
      const flow = entityCatrn(first, aspects);
      return flow === undefined ? undefined : `${flow}/jobs/${ownSegment(second)}`;
    }
    case "chart":
    case "dashboard":
      return ownCatrn(platformOf(first), `${parsed.type}s`, second);
    case "container":
      return ownCatrn(reportedPlatform(aspects), "containers", first);
    case "assertion":
      return ownCatrn(reportedPlatform(aspects), "assertions", first);
    case "mlModel":
      return ownCatrn(platformOf(first), "models", second, third);
    case "mlModelGroup":
      return ownCatrn(platformOf(first), "model_groups", second, third);
    case "mlFeatureTable":
      return ownCatrn(platformOf(first), "feature_tables", second);
    case "dataHubIngestionSource":
      return ownCatrn(noPlatform, "recipes", first);
    default:
      return undefined;
  }
}

/** One segment, as `ownCatrn` writes it. */
function ownSegment(name: string): string {
  const whole = ownCatrn("", "", name);
  return whole.slice(whole.lastIndexOf("/") + 1);
}

/** The platform under whose data source an entity is posted. */
export function platformOfEntity(urn: string, aspects: Aspects): string {
  const parsed = parseUrn(urn);
  const [first = ""] = parsed?.parts ?? [];
  switch (parsed?.type) {
    case "dataJob":
      return platformOfEntity(first, aspects);
    case "dataset":
    case "dataFlow":
    case "chart":
    case "dashboard":
    case "mlModel":
    case "mlModelGroup":
    case "mlFeatureTable":
      return platformOf(first);
    default:
      return reportedPlatform(aspects);
  }
}
