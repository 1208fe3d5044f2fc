import { objectsOf, type RawObject, textOf, textsOf } from "./values.ts";

/** Aspects that entities are made of, or that are read of them. */
export const mappedAspects: ReadonlySet<string> = new Set(
  `assertionInfo assertionRunEvent browsePaths browsePathsV2 chartInfo container containerProperties corpGroupInfo
corpUserEditableInfo corpUserInfo dashboardInfo dataFlowInfo dataHubExecutionRequestInput
dataHubExecutionRequestResult dataHubIngestionSourceInfo dataJobInfo dataJobInputOutput dataPlatformInstance
dataProcessInstanceInput dataProcessInstanceOutput dataProcessInstanceProperties
dataProcessInstanceRelationships dataProcessInstanceRunEvent dataTransformLogic datahubIngestionCheckpoint
datasetProfile datasetProperties datasetUsageStatistics deprecation domainProperties domains
editableChartProperties editableContainerProperties editableDashboardProperties editableDataFlowProperties
editableDataJobProperties editableDatasetProperties editableSchemaMetadata globalTags glossaryNodeInfo
glossaryTermInfo glossaryTerms inputFields institutionalMemory mlFeatureProperties mlFeatureTableProperties
mlModelGroupProperties mlModelProperties mlPrimaryKeyProperties operation ownership ownershipTypeInfo
queryProperties schemaMetadata siblings status subTypes tagProperties upstreamLineage viewProperties`
    .split(/\s+/),
);

/** Whether something becomes of an aspect; those that end with `Key` hold what the urn says. */
export function isMapped(aspect: string): boolean {
  return mappedAspects.has(aspect) || aspect.endsWith("Key");
}

/** Aspects that are a list of what happened, each entry with its `timestampMillis`. */
export const timeseriesAspects: ReadonlySet<string> = new Set(
  `assertionRunEvent chartUsageStatistics dashboardUsageStatistics dataProcessInstanceRunEvent
datahubIngestionCheckpoint datahubIngestionRunSummary datasetProfile datasetUsageStatistics
documentUsageStatistics operation queryUsageStatistics`.split(/\s+/),
);

/** Maximum number of entries that are retained of an aspect of an entity, the newest. */
export function maxEntriesOf(aspect: string): number {
  return aspect.endsWith("RunEvent") ? 100 : 10;
}

/** Aspects that show on other entities: a change of one has these mapped again. */
export const shownElsewhere: ReadonlySet<string> = new Set(
  `container containerProperties corpGroupInfo corpUserEditableInfo corpUserInfo dataPlatformInstance
dataProcessInstanceRelationships domainProperties glossaryNodeInfo glossaryTermInfo mlFeatureProperties
mlPrimaryKeyProperties ownershipTypeInfo queryProperties status tagProperties`.split(/\s+/),
);

/** Classes of aspects in the older interfaces of DataHub, by the package that they are in. */
const packages: Record<string, string> = {
  "com.linkedin.assertion": "assertionInfo assertionRunEvent",
  "com.linkedin.chart": "chartInfo editableChartProperties",
  "com.linkedin.common":
    "browsePaths browsePathsV2 dataPlatformInstance dataTransformLogic deprecation globalTags " +
    "glossaryTerms inputFields institutionalMemory operation ownership siblings status subTypes",
  "com.linkedin.container": "container containerProperties editableContainerProperties",
  "com.linkedin.dashboard": "dashboardInfo editableDashboardProperties",
  "com.linkedin.datajob":
    "dataFlowInfo dataJobInfo dataJobInputOutput editableDataFlowProperties " +
    "editableDataJobProperties",
  "com.linkedin.dataprocess": "dataProcessInstanceInput dataProcessInstanceOutput " +
    "dataProcessInstanceProperties dataProcessInstanceRelationships " +
    "dataProcessInstanceRunEvent",
  "com.linkedin.dataset":
    "datasetProfile datasetProperties datasetUsageStatistics editableDatasetProperties " +
    "upstreamLineage viewProperties",
  "com.linkedin.domain": "domainProperties domains",
  "com.linkedin.glossary": "glossaryNodeInfo glossaryTermInfo",
  "com.linkedin.identity": "corpGroupInfo corpUserEditableInfo corpUserInfo",
  "com.linkedin.ml.metadata":
    "mlFeatureProperties mlFeatureTableProperties mlModelGroupProperties " +
    "mlModelProperties mlPrimaryKeyProperties",
  "com.linkedin.ownership": "ownershipTypeInfo",
  "com.linkedin.platformresource": "platformResourceInfo",
  "com.linkedin.query": "queryProperties querySubjects",
  "com.linkedin.schema": "editableSchemaMetadata schemaMetadata",
  "com.linkedin.structured": "structuredProperties",
  "com.linkedin.tag": "tagProperties",
};

const classes = new Map(
  Object.entries(packages).flatMap(([of, names]) =>
    names.split(" ").map((name) => [name, `${of}.${className(name)}`] as const)
  ),
);

function className(aspect: string): string {
  const name = aspect[0]!.toUpperCase() + aspect.slice(1);
  return name.startsWith("Ml") ? `ML${name.slice(2)}` : name;
}

/** `com.linkedin.common.GlobalTags` of `globalTags`; undefined for an aspect whose class is not known. */
export function classOfAspect(aspect: string): string | undefined {
  return classes.get(aspect);
}

/** `globalTags` of `com.linkedin.common.GlobalTags`, with or without its package. */
export function aspectOfClass(name: string): string {
  const short = name.slice(name.lastIndexOf(".") + 1);
  if (short.startsWith("ML")) return `ml${short.slice(2)}`;
  return short.slice(0, 1).toLowerCase() + short.slice(1);
}

/** What the urns of models of dbt begin with. */
export const modelPrefix = "urn:li:dataset:(urn:li:dataPlatform:dbt,";

/** Aspects by which a dataset and the model that builds it name each other. */
export const modelAspects: readonly string[] = ["upstreamLineage", "siblings"];

/** Whether a urn is that of a model, seed, snapshot or source of dbt, which a table of a warehouse may stand for. */
export function isModel(urn: string): boolean {
  return urn.startsWith(modelPrefix);
}

/**
 * What aspects of a dataset say about models: that it is a copy of one, as the source of dbt reports the table that a
 * model builds; and its siblings.
 */
export function modelsOf(
  aspects: { get(name: string): RawObject | undefined } | undefined,
): { copied: string | undefined; siblings: string[] } {
  const copies = objectsOf(aspects?.get("upstreamLineage")?.upstreams).flatMap(
    ({ dataset, type }) => {
      const urn = textOf(dataset);
      return urn !== undefined && isModel(urn) && type === "COPY" ? [urn] : [];
    },
  );
  const [copied, ...others] = copies;
  return {
    copied: others.length === 0 ? copied : undefined,
    siblings: textsOf(aspects?.get("siblings")?.siblings),
  };
}
