import { type RawObject, textOf } from "#platform/datahub/values.ts";
import { ownCatrn, type ResolvedDataset } from "#platform/naming/datahub/names.ts";
import { parseUrn, platformOf, type Urn } from "#platform/naming/datahub/urn.ts";

/** An entry of an aspect that is a list of what happened. */
export interface Entry {
  /** Milliseconds since the epoch. */
  time: number;
  value: RawObject;
}

/** Aspects of one entity by name, those that are not there left out. */
export type Aspects = ReadonlyMap<string, RawObject>;

/** What the item of an entity is made of. */
export interface EntityFacts {
  urn: string;
  parsed: Urn;
  aspects: Aspects;
  /** By aspect, the newest first. */
  entries: ReadonlyMap<string, Entry[]>;
  /** Of a dataset: what the catalogue knows it as. */
  dataset?: ResolvedDataset;
  /** Whether it is a model that shows as the table that it builds. */
  isPartOfTable: boolean;
  /** Of a dataset that a collector holds: whether that one reports its lineage too. */
  hasOwnLineage: boolean;
  /** CATRNs of its members, where it is a group. */
  members: string[];
  names: Names;
}

/** What is known of entities that others name. */
export interface Names {
  /** CATRN of an entity; undefined where it has none. */
  catrnOf(urn: string): string | undefined;
  /** Aspects of an entity that show on others. */
  aspectsOf(urn: string): Aspects;
}

/** Whether it was removed, so that nothing is posted of it. */
export function isRemoved(aspects: Aspects): boolean {
  return aspects.get("status")?.removed === true;
}

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
