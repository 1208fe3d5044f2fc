import { page, type Step } from "#test/support/walk/step.ts";

const id = (name: string) => ({ id }: { id: number }) => ({ [name]: id });
const at = "/api/referencedata/table";

/** Operations on what a catalogue is managed by, and on lookup tables. */
export const managing: Step[] = [
  ["createNamespace", () => ["POST", "/api/namespaces", { name: "walked" }], id("namespace")],
  ["getNamespaceDetails", ({ namespace }) => ["GET", `/api/namespaces/${namespace}`]],
  ["updateNamespace", ({ namespace }) => ["PUT", `/api/namespaces/${namespace}`, {
    name: "renamed",
  }]],
  ["getDuplicateNames", () => ["GET", "/api/names/duplicates"]],
  ["mergeNamespaces", ({ namespace }) => ["POST", `/api/namespaces/${namespace}/merge`]],
  ["deleteNamespace", ({ namespace }) => ["DELETE", `/api/namespaces/${namespace}`]],
  [
    "registerDataSource",
    () => ["POST", "/api/datasources", { name: "walked", catrn: "//walk/by-hand" }],
    id("source"),
  ],
  ["updateDataSource", ({ source }) => ["PUT", `/api/datasources/${source}`, { name: "renamed" }]],
  ["regenerateDataSourceToken", ({ source }) => ["PUT", `/api/datasources/${source}/token`]],
  ["deleteDataSource", ({ source }) => ["DELETE", `/api/datasources/${source}`]],
  ["registerCollector", () => ["POST", "/api/collectors", { name: "walked" }], id("collector")],
  ["updateCollector", ({ collector }) => ["PUT", `/api/collectors/${collector}`, {
    name: "renamed",
  }]],
  ["regenerateCollectorToken", ({ collector }) => ["PUT", `/api/collectors/${collector}/token`]],
  ["deleteCollector", ({ collector }) => ["DELETE", `/api/collectors/${collector}`]],
  ["getConnectors", () => ["GET", "/api/connectors"]],
  [
    "createConnection",
    () => ["POST", "/api/connections", {
      name: "walked",
      connector: "postgresql",
      settings: { host: "db.example", database: "walked", user: "reader" },
      paused: true,
    }],
    id("connection"),
  ],
  ["getConnections", () => ["GET", `/api/connections?${page}`]],
  ["getConnection", ({ connection }) => ["GET", `/api/connections/${connection}`]],
  ["updateConnection", ({ connection }) => ["PUT", `/api/connections/${connection}`, {
    name: "renamed",
    settings: { host: "db.example", database: "walked", user: "other" },
    paused: true,
  }]],
  ["testConnection", ({ connection }) => ["POST", `/api/connections/${connection}/test`]],
  ["previewConnection", ({ connection }) => ["POST", `/api/connections/${connection}/preview`]],
  ["runConnection", ({ connection }) => ["POST", `/api/connections/${connection}/run`], id("run")],
  ["getConnectionRuns", ({ connection }) => ["GET", `/api/connections/${connection}/runs`]],
  ["getConnectionRun", ({ run }) => ["GET", `/api/connection-runs/${run}`]],
  ["cancelConnectionRun", ({ run }) => ["POST", `/api/connection-runs/${run}/cancel`]],
  ["deleteConnection", ({ connection }) => ["DELETE", `/api/connections/${connection}`]],
  ["createOwner", () => ["POST", "/api/owners", { name: "walked" }], id("owner")],
  ["updateOwner", ({ owner }) => ["PUT", `/api/owners/${owner}`, { name: "renamed" }]],
  ["mergeOwners", ({ owner }) => ["POST", `/api/owners/${owner}/merge`]],
  ["deleteOwner", ({ owner }) => ["DELETE", `/api/owners/${owner}`]],
  [
    "createReferenceTable",
    () => ["POST", at, { name: "walked", namespace_name: "walk" }],
    ({ table_id }) => ({ table: table_id }),
  ],
  [
    "createColumnsForLookupTable",
    ({ table }) => ["POST", `${at}/${table}/columns`, [
      { name: "word", field_type: "VARCHAR", is_nullable: true },
    ]],
  ],
  [
    "getLookupTableById",
    ({ table }) => ["GET", `${at}/${table}`],
    ({ fields }) => ({
      column: fields.find(({ name }: { name: string }) => name === "word").field_id,
    }),
  ],
  ["getLookupTableField", ({ table, column }) => ["GET", `${at}/${table}/columns/${column}`]],
  [
    "updateLookupTableField",
    ({ table, column }) => ["PATCH", `${at}/${table}/columns/${column}`, {
      name: "word",
      description: "told",
      is_nullable: true,
    }],
  ],
  [
    "addDataToLookupTable",
    ({ table, column }) => ["POST", `${at}/${table}/data`, [
      { items: [{ field_id: column, value: "a" }] },
    ]],
  ],
  [
    "getLookupTableRowList",
    ({ table }) => ["GET", `${at}/${table}/data?${page}`],
    ({ items }) => ({ row: items[0].row_id }),
  ],
  [
    "updateLookupTableRow",
    ({ table, column, row }) => ["PATCH", `${at}/${table}/data/${row}`, {
      items: [{ field_id: column, value: "b" }],
    }],
  ],
  ["deleteLookupTableRow", ({ table, row }) => ["DELETE", `${at}/${table}/data/${row}`]],
  [
    "deleteLookupTableField",
    ({ table, column }) => ["DELETE", `${at}/${table}/columns/${column}`],
  ],
  ["updateLookupTable", ({ table }) => ["PUT", `${at}/${table}`, { name: "renamed" }]],
  [
    "referenceDataSearch",
    () => ["POST", "/api/referencedata/search", { query: "renamed" }],
    ({ search_id }) => ({ search: search_id }),
  ],
  [
    "getReferenceDataSearchFacetList",
    ({ search }) => ["GET", `/api/referencedata/search/${search}`],
  ],
  [
    "updateReferenceDataSearchFacetList",
    ({ search }) => ["PUT", `/api/referencedata/search/${search}`, { query: "walk" }],
  ],
  [
    "getReferenceDataSearchResults",
    ({ search }) => ["GET", `/api/referencedata/search/${search}/results?${page}`],
  ],
  ["deleteLookupTable", ({ table }) => ["DELETE", `${at}/${table}`]],
  ["getDataEntityClasses", () => ["GET", "/api/dataentities/classes"]],
  ["getAuditEvents", () => ["GET", `/api/audit?${page}`]],
  ["getLinks", () => ["GET", "/api/links"]],
  [
    "getIntegrationPreviews",
    () => ["GET", "/api/integrations"],
    ({ items }) => ({ integration: items[0].id }),
  ],
  ["getIntegration", ({ integration }) => ["GET", `/api/integrations/${integration}`]],
  ["getEngines", () => ["GET", "/api/ops/engines"]],
  ["getWorkers", () => ["GET", "/api/ops/workers"]],
  ["getConsumerLag", () => ["GET", "/api/ops/lag"]],
  ["getReplicationSlot", () => ["GET", "/api/ops/slot"]],
  ["getOperationsSummary", () => ["GET", "/api/ops/summary"]],
  ["getSlowStatements", () => ["GET", "/api/ops/slow-statements"]],
  ["getBackupStatus", () => ["GET", "/api/ops/backup"]],
  ["getOperationsHistory", () => ["GET", "/api/ops/history"]],
  ["getProjection", () => ["GET", "/api/ops/projection"]],
  ["getDeadLetters", () => ["GET", `/api/ops/dead-letters?${page}`]],
  ["replayDeadLetters", () => ["POST", "/api/ops/dead-letters/replay", { all: true }]],
  ["dropDeadLetters", () => ["POST", "/api/ops/dead-letters/drop", { all: true }]],
];
