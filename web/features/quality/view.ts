import { idsOf, oneOf, type Params } from "#web/kit/search-params.ts";
import type { FacetKind } from "#web/components/facets.tsx";
import { runStatuses } from "#web/components/status.tsx";
import { type PlainKey, t } from "#web/messages/text.ts";

/** What tests, and the datasets that they test, can be narrowed by. */
export const facets: { kind: FacetKind; label: PlainKey }[] = [
  { kind: "namespace", label: "kit.namespace" },
  { kind: "source", label: "quality.source" },
  { kind: "owner", label: "kit.owner" },
  { kind: "title", label: "quality.title" },
  { kind: "tag", label: "components.tag" },
];

/** Name in the address of a filter of tests, or of datasets. */
export const nameOf = (kind: FacetKind, of: "tests" | "datasets") =>
  of === "tests" ? kind : `table-${kind}`;

/** The filters as the API takes them. */
export function filterOf(params: Params) {
  const ids = (kind: FacetKind, of: "tests" | "datasets") => idsOf(params[nameOf(kind, of)]);
  return {
    namespaceIds: ids("namespace", "tests"),
    datasourceIds: ids("source", "tests"),
    ownerIds: ids("owner", "tests"),
    titleIds: ids("title", "tests"),
    tagIds: ids("tag", "tests"),
    deNamespaceIds: ids("namespace", "datasets"),
    deDatasourceIds: ids("source", "datasets"),
    deOwnerIds: ids("owner", "datasets"),
    deTitleIds: ids("title", "datasets"),
    deTagIds: ids("tag", "datasets"),
  };
}
export type QualityFilter = ReturnType<typeof filterOf>;

/** How healthy datasets are, the worst first, with texts and a tone. */
export const healthStyles = {
  ERROR: { text: "quality.error", about: "quality.aTestFailed", tone: "bad" },
  WARNING: { text: "quality.warning", about: "quality.aTestIsBroken", tone: "warn" },
  UNKNOWN: { text: "quality.unknown", about: "quality.noTestHasFinished", tone: "neutral" },
  HEALTHY: { text: "quality.healthy", about: "quality.allTestsWentWell", tone: "good" },
  NOT_MONITORED: { text: "quality.notMonitored", about: "quality.noTestCoversIt", tone: "info" },
} as const;
export type Health = keyof typeof healthStyles;
export const healths = Object.keys(healthStyles) as Health[];

/** Categories as the API calls them. */
const categoryTexts = {
  "Assertion Tests": "quality.assertionTests",
  "Volume Anomalies": "quality.volumeAnomalies",
  "Freshness Anomalies": "quality.freshnessAnomalies",
  "Column Values Anomalies": "quality.columnValuesAnomalies",
  "Schema Changes": "quality.schemaChanges",
  "Unknown category": "quality.unknownCategory",
} as const;
type Category = keyof typeof categoryTexts;
export const categories = Object.keys(categoryTexts) as Category[];

/** What people call a category; one that is not known here goes by its name in the API. */
export function categoryText(name: string): string {
  const category = oneOf(name, categories);
  return category ? t(categoryTexts[category]) : name;
}

/** Which rows are open below the numbers. */
export type Rows =
  | { of: "tests"; category?: Category; status?: (typeof runStatuses)[number] }
  | { of: "tables"; health?: Health };

export function rowsOfAddress(params: Params): Rows | undefined {
  if (params.rows === "tables") return { of: "tables", health: oneOf(params.health, healths) };
  if (params.rows !== "tests") return undefined;
  return {
    of: "tests",
    category: oneOf(params.category, categories),
    status: oneOf(params.status, runStatuses),
  };
}

/** Rows as a change of the address. */
export function addressOfRows(rows: Rows | undefined): Params {
  return {
    rows: rows?.of,
    health: rows?.of === "tables" ? rows.health : undefined,
    category: rows?.of === "tests" ? rows.category : undefined,
    status: rows?.of === "tests" ? rows.status : undefined,
  };
}
