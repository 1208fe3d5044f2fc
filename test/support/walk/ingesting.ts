import { page, type Step } from "#test/support/walk/step.ts";

export const source = "//walk/source";
const at = (name: string) => `${source}/${name}`;
const until = new Date(Date.now() + 3_600_000).toISOString();
const fields = (name: string) =>
  ["id", "ref"].map((column) => ({
    catrn: `${at(name)}/${column}`,
    name: column,
    type: { type: "TYPE_INTEGER", is_nullable: false },
  }));
const datahub = "/integrations/datahub";
const entityUrn = "urn:li:dataset:(urn:li:dataPlatform:postgres,walk.public.t,PROD)";
const urn = encodeURIComponent(entityUrn);
const proposal = {
  entityUrn,
  entityType: "dataset",
  changeType: "UPSERT",
  aspectName: "status",
  aspect: { value: '{"removed": false}', contentType: "application/json" },
};
const table = (name: string) => ({
  catrn: at(name),
  name,
  type: "TABLE",
  dataset: { field_list: fields(name) },
});
const relationship = (name: string, relationship_type: string, details: object) => ({
  catrn: at(name),
  name,
  type: `${relationship_type === "ERD" ? "ENTITY" : "GRAPH"}_RELATIONSHIP`,
  data_relationship: {
    relationship_type,
    source_dataset_catrn: at("orders"),
    target_dataset_catrn: at("users"),
    details,
  },
});
const items = [
  table("orders"),
  table("users"),
  {
    catrn: at("job"),
    name: "job",
    type: "JOB",
    data_transformer: { inputs: [at("orders")], outputs: [at("users")] },
  },
  relationship("erd", "ERD", {
    relationship_entity_name: "ERDRelationship",
    source_dataset_field_catrns_list: [`${at("orders")}/ref`],
    target_dataset_field_catrns_list: [`${at("users")}/id`],
    is_identifying: true,
    cardinality: "ONE_TO_ZERO_ONE_OR_MORE",
  }),
  relationship("graph", "GRAPH", {
    relationship_entity_name: "GraphRelationship",
    is_directed: true,
    attributes: { label: "KNOWS" },
  }),
  {
    catrn: at("group"),
    name: "group",
    type: "DAG",
    data_entity_group: { entities_list: [at("job")] },
  },
];
const metric = {
  name: "rows",
  type: "GAUGE",
  unit: "rows",
  help: null,
  metrics: [{
    labels: [],
    metric_points: [{ timestamp: "2024-01-02T00:00:00Z", gauge_value: { value: 1 } }],
  }],
};
const alert = { labels: { entity_catrn: at("orders") }, generatorURL: "http://monitor.example/1" };
const event = {
  eventTime: "2026-01-01T00:00:00Z",
  producer: "https://producer.example",
  schemaURL: "https://openlineage.io/spec/2-0-2/OpenLineage.json#/definitions/JobEvent",
  job: { namespace: "walk", name: "task" },
};
const stats = { complex_stats: { nulls_count: 0, unique_count: 1 } };

/** Operations by which collectors and services tell, and what they tell is read by. */
export const ingesting: Step[] = [
  [
    "createDataSource",
    () => ["POST", "/ingestion/datasources", { items: [{ catrn: source, name: "walk" }] }],
  ],
  [
    "postDataEntityList",
    () => ["POST", "/ingestion/entities", { data_source_catrn: source, items }],
  ],
  [
    "postDataSetStatsList",
    () => ["POST", "/ingestion/entities/datasets/stats", {
      items: [{ dataset_catrn: at("orders"), fields: { [`${at("orders")}/id`]: stats } }],
    }],
  ],
  [
    "ingestMetrics",
    () => ["POST", "/ingestion/metrics", {
      items: [{ catrn: at("orders"), metric_families: [metric] }],
    }],
  ],
  ["routeAlertsOfAlertmanager", () => ["POST", "/ingestion/alert/alertmanager", {
    alerts: [alert],
  }]],
  [
    "getDataEntitiesByDEGCatrnQuery",
    () => [
      "GET",
      `/ingestion/entities/degs/children?${new URLSearchParams({ catrn: at("group") })}`,
    ],
  ],
  ["postOpenLineageEvent", () => ["POST", "/api/v1/lineage", event]],
  ["postOpenLineageBatch", () => ["POST", "/api/v1/lineage/batch", [event]]],
  ["getDataHubConfig", () => ["GET", `${datahub}/config`]],
  ["postDataHubAspects", () => ["POST", `${datahub}/aspects?action=ingestProposal`, { proposal }]],
  [
    "postDataHubEntities",
    () => ["POST", `${datahub}/entities?action=delete`, { urn: "urn:li:tag:x" }],
  ],
  [
    "registerDataHubSchema",
    () => ["POST", `${datahub}/schema-registry/api/subjects/walk/versions`, { schema: '"string"' }],
  ],
  ["getDataHubSchema", () => ["GET", `${datahub}/schema-registry/api/schemas/ids/1`]],
  ["getDataHubAspect", () => ["GET", `${datahub}/aspects/${urn}?aspect=status`]],
  ["getDataHubEntity", () => ["GET", `${datahub}/entitiesV2/${urn}`]],
  ["getDataHubEntityV3", () => ["GET", `${datahub}/openapi/v3/entity/dataset/${urn}`]],
  ["listDataHubEntities", () => ["GET", `${datahub}/openapi/v3/entity/post`]],
  ["batchGetDataHubEntities", () => ["POST", `${datahub}/openapi/v3/entity/dataset/batchGet`, []]],
  ["getOpenLineageComplaints", () => ["GET", `/api/openlineage/complaints?${page}`]],
  [
    "getDataEntityList",
    () => ["GET", `/api/dataentities?${page}&${new URLSearchParams({ catrn: at("orders") })}`],
    ({ items }) => ({ entity: items[0].id }),
  ],
  [
    "getDataEntityList",
    () => ["GET", `/api/dataentities?${page}&${new URLSearchParams({ catrn: at("users") })}`],
    ({ items }) => ({ other: items[0].id }),
  ],
  [
    "getDataSetStructureLatest",
    ({ entity }) => ["GET", `/api/datasets/${entity}/structure`],
    ({ field_list }) => ({ field: field_list[0].id }),
  ],
  [
    "getRelationships",
    () => ["GET", `/api/relationships?type=ERD&${page}`],
    ({ items }) => ({ erd: items[0].id }),
  ],
  ["getERDRelationshipById", ({ erd }) => ["GET", `/api/relationships/erd/${erd}`]],
  [
    "getRelationships",
    () => ["GET", `/api/relationships?type=GRAPH&${page}`],
    ({ items }) => ({ graph: items[0].id }),
  ],
  ["getGraphRelationshipById", ({ graph }) => ["GET", `/api/relationships/graph/${graph}`]],
  [
    "getDataEntityLineagePaths",
    ({ entity, other }) => ["GET", `/api/dataentities/${entity}/lineage/paths?to=${other}`],
  ],
  ["getDataEntityImpact", ({ entity }) => ["GET", `/api/dataentities/${entity}/impact`]],
  ["getDataEntitiesHealth", ({ entity }) => ["GET", `/api/dataentities/health?ids=${entity}`]],
  ["getCountedTests", () => ["GET", `/api/dataqatests/tests?${page}`]],
  ["getCountedTables", () => ["GET", `/api/dataqatests/tables?${page}`]],
  [
    "getAlertsList",
    () => ["GET", `/api/alerts/list?${page}`],
    ([first]) => ({ alert: first.id }),
  ],
  [
    "changeAlertStatus",
    ({ alert }) => ["PUT", `/api/alerts/${alert}/status`, { status: "RESOLVED" }],
  ],
  ["getAlertConfig", ({ entity }) => ["GET", `/api/dataentities/${entity}/alert_config`]],
  [
    "updateAlertConfig",
    ({ entity }) => ["PUT", `/api/dataentities/${entity}/alert_config`, {
      failed_job_halt_until: until,
    }],
  ],
  [
    "createNotificationSilence",
    ({ entity }) => ["POST", "/api/notifications/silences", { entity_id: entity, until }],
    ({ id }) => ({ silence: id }),
  ],
  ["getNotificationSilences", () => ["GET", `/api/notifications/silences?${page}`]],
  [
    "deleteNotificationSilence",
    ({ silence }) => ["DELETE", `/api/notifications/silences/${silence}`],
  ],
  ["getNotificationDeliveries", () => ["GET", `/api/notifications/deliveries?${page}`]],
];
