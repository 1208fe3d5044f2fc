import type { Rows } from "#test/support/statements/rows.ts";

const days = "begin_date=2020-01-01T00:00:00Z&end_date=2100-01-01T00:00:00Z";

const lastHour = () => `from=${new Date(Date.now() - 3_600_000).toISOString()}`;

/** Operations that read; those of a session are told its id. */
export const reads: Rows = {
  getDataEntityDetails: (w) => `/api/dataentities/${w.dataset}`,
  getDataEntitiesByIds: (w) =>
    `/api/dataentities/details?ids=${[w.dataset, w.job, ...w.members].slice(0, 400)}`,
  getDataEntityList: (w) => `/api/dataentities?${w.page}`,
  getDataEntityReferences: (w) => `/api/dataentities/${w.job}/references/source_list?${w.page}`,
  getPopular: (w) => `/api/dataentities/popular?${w.page}`,
  getDataEntitiesUsage: () => "/api/dataentities/usage",
  getCatalogueCoverage: () => "/api/dataentities/coverage",
  getMyObjects: (w) => `/api/dataentities/my?${w.page}`,
  getMyObjectsWithUpstream: (w) => `/api/dataentities/my/upstream?${w.page}`,
  getMyObjectsWithDownstream: (w) => `/api/dataentities/my/downstream?${w.page}`,
  getDataEntityMetrics: (w) => `/api/dataentities/${w.dataset}/metrics`,
  getRuns: (w) => `/api/dataentities/${w.job}/runs?${w.page}`,

  getDataSetStructureLatest: (w) => `/api/datasets/${w.dataset}/structure`,
  getDataSetStructureByVersionId: (w) => `/api/datasets/${w.dataset}/structure/${w.versions[1]}`,
  getDataSetStructureDiff: (w) =>
    `/api/datasets/${w.dataset}/structure/diff?first_version_id=${
      w.versions[1]
    }&second_version_id=${w.versions[0]}`,
  getDataSetVersions: (w) => `/api/datasets/${w.dataset}/versions?${w.page}`,
  getDataSetRelationships: (w) => `/api/datasets/${w.dataset}/relationships?type=ALL`,
  getRelationships: (w) => `/api/relationships?type=ALL&${w.page}`,
  getSLA: (w) => `/api/datasets/${w.dataset}/sla`,
  getDatasetSLAReport: (w) => `/api/datasets/${w.dataset}/sla_report`,
  getDatasetTestHistory: (w) => `/api/datasets/${w.dataset}/test_history`,
  getDatasetTestReport: (w) => `/api/datasets/${w.dataset}/test_report`,
  getDataEntityDataQATests: (w) => `/api/datasets/${w.dataset}/dataqatests`,
  getDataQualityTestsRuns: (w) => `/api/dataqatests/runs?deDatasourceIds=${w.source}`,
  getEnumValues: (w) => `/api/datasetfields/${w.fields[0]}/enum_values`,
  getDatasetFieldMetrics: (w) => `/api/datasetfields/${w.fields[0]}/metrics`,
  getOpenLineageName: () =>
    `/api/openlineage/names?${new URLSearchParams({ namespace: "postgres://db", name: "s.t" })}`,
  exportOpenLineage: (w) => `/api/openlineage/export?data_source_id=${w.source}`,
  getOpenLineageRuns: () => "/api/openlineage/runs?run_id=1",
  getOpenLineageRunLineage: () => "/api/openlineage/runs/1/lineage",
  getMetadataFieldList: () => "/api/metadata/fields",

  getDataEntityGroupsChildren: (w) => `/api/dataentitygroups/${w.group}/children?${w.page}`,
  getDataEntityGroupsItems: (w) => `/api/dataentitygroups/${w.group}/items?${w.page}`,
  getDataEntityGroupsLineage: (w) => `/api/dataentitygroups/${w.group}/lineage`,
  getDomains: () => "/api/dataentitygroups/domains",
  getDataEntitiesByDEGCatrn: (w) =>
    `/ingestion/entities/${encodeURIComponent(w.groupCatrn)}/children`,

  getDataEntityUpstreamLineage: (w) =>
    `/api/dataentities/${w.dataset}/lineage/upstream?lineage_depth=5`,
  getDataEntityDownstreamLineage: (w) =>
    `/api/dataentities/${w.members[0]}/lineage/downstream?lineage_depth=5`,
  getDataEntityUpstreamLineageDiff: (w) =>
    `/api/dataentities/${w.dataset}/lineage/upstream/diff?${lastHour()}&lineage_depth=5`,
  getDataEntityDownstreamLineageDiff: (w) =>
    `/api/dataentities/${w.members[0]}/lineage/downstream/diff?${lastHour()}&lineage_depth=5`,
  getLineageChanges: () => `/api/lineage/changes?${lastHour()}`,
  getDataEntitiesHealth: (w) =>
    `/api/dataentities/health?ids=${[w.dataset, w.job, ...w.members].slice(0, 200)}`,
  getDataEntityImpact: (w) => `/api/dataentities/${w.members[0]}/impact`,
  getDataEntityUpstreamNeighbours: (w) =>
    `/api/dataentities/${w.dataset}/lineage/upstream/neighbours?${w.page}`,
  getDataEntityDownstreamNeighbours: (w) =>
    `/api/dataentities/${w.members[0]}/lineage/downstream/neighbours?${w.page}`,

  getDatasetColumnsUpstreamLineage: (w) =>
    `/api/datasets/${w.dataset}/columns/lineage/upstream?lineage_depth=5&include_indirect=true`,
  getDatasetColumnsDownstreamLineage: (w) =>
    `/api/datasets/${
      w.members[0]
    }/columns/lineage/downstream?lineage_depth=5&through_datasets=true`,
  getDataEntityColumnsLineage: (w) => `/api/dataentities/${w.job}/columns/lineage`,

  getAllAlerts: (w) => `/api/alerts?${w.page}`,
  getAssociatedUserAlerts: (w) => `/api/alerts/my?${w.page}`,
  getDependentEntitiesAlerts: (w) => `/api/alerts/dependents?${w.page}`,
  getAlertsList: (w) =>
    `/api/alerts/list?${w.page}&query=skewed&alert_type=BACKWARDS_INCOMPATIBLE_SCHEMA`,
  getAlertTotals: () => "/api/alerts/totals",
  getUserPermissions: (w) =>
    `/api/identity/permissions?username=ada&resource_type=DATA_ENTITY&resource_id=${w.dataset}`,
  getDataSourceArrivals: (w) => `/api/datasources/arrivals?data_source_id=${w.source}`,
  getDemonstration: () => "/api/demonstration",
  getAlertImpacts: (w) => `/api/alerts/impact?alert_ids=${w.alert}`,
  getAlertCounts: () => "/api/alerts/counts",
  getAlertChunks: (w) => `/api/alerts/${w.alert}/chunks?${w.page}`,
  getDataEntityAlerts: (w) => `/api/dataentities/${w.dataset}/alerts?${w.page}`,
  getDataEntityAlertsList: (w) => `/api/dataentities/${w.dataset}/alerts/list?${w.page}`,
  getDataEntityAlertsCounts: (w) => `/api/dataentities/${w.dataset}/alerts/counts?status=OPEN`,

  getActivity: (w) => `/api/activity?${days}&size=${w.n}`,
  getActivityGroups: () => "/api/activity/groups?size=50",
  getActivityCounts: () => `/api/activity/counts?${days}`,
  getActivityUsers: (w) => `/api/activity/users?${w.page}`,
  getDataEntityActivity: (w) => `/api/dataentities/${w.dataset}/activity?${days}&size=${w.n}`,

  getOwnerList: (w) => `/api/owners?${w.page}`,
  getTitleList: (w) => `/api/titles?${w.page}`,
  getPopularTagList: (w) => `/api/tags?${w.page}&ids=${w.tags.join()}`,
  getNamespaceList: (w) => `/api/namespaces?${w.page}`,
  getDataSourceList: (w) => `/api/datasources?${w.page}`,
  getDataSourceExpiry: (w) => `/api/datasources/${w.source}/expiry`,
  getCollectorsList: (w) => `/api/collectors?${w.page}`,
  getConnections: (w) => `/api/connections?${w.page}`,
  getRolesList: (w) => `/api/roles?${w.page}`,
  getPolicyList: (w) => `/api/policies?${w.page}`,
  getDataSourceTypes: () => "/api/directory",
  getDirectoryDatasourceList: () => "/api/directory/datasources?prefix=world",
  getDatasourceEntities: (w) => `/api/directory/datasources/${w.source}?${w.page}`,
  getDatasourceEntityTypes: (w) => `/api/directory/datasources/${w.source}/types`,

  getSearchFacetList: (w) => `/api/search/${w.search}`,
  getFiltersForFacet: (w) => `/api/search/${w.search}/facet/tags?${w.page}`,
  getSearchResults: (w) => `/api/search/${w.search}/results?${w.page}`,
  highlightDataEntity: (w) => `/api/search/${w.search}/data_entities/${w.dataset}/highlights`,
  getSearchSuggestions: () => "/api/search/suggestions?query=world",
};
