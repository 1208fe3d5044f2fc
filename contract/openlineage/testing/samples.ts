// Events such as clients send. The members of facets are those of the OpenLineage specification (Apache License 2.0,
// https://github.com/OpenLineage/OpenLineage, spec/tests), the values are of this project.

const producer = "https://shop.example/pipelines/1.2";

/** A facet as producers frame it. */
export const facet = (members: object) => ({
  _producer: producer,
  _schemaURL: "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/BaseFacet",
  ...members,
});

const warehouse = "postgres://warehouse.example:5432";
const orders = { namespace: warehouse, name: "shop.public.orders" };
const totals = { namespace: warehouse, name: "shop.public.totals" };
const job = { namespace: "airflow", name: "daily.totals" };
const runId = "0190a5b0-1111-7000-8000-000000000001";

const transformations = [{
  type: "DIRECT",
  subtype: "AGGREGATION",
  description: "sum",
  masking: false,
}];

/** Every facet of a run that is used. */
export const runFacetSamples: Record<string, object> = {
  parent: {
    run: { runId: "0190a5b0-1111-7000-8000-000000000000" },
    job: { namespace: "airflow", name: "daily" },
    root: {
      run: { runId: "0190a5b0-1111-7000-8000-00000000000a" },
      job: { namespace: "airflow", name: "all" },
    },
  },
  nominalTime: {
    nominalStartTime: "2026-03-01T00:00:00Z",
    nominalEndTime: "2026-03-02T00:00:00Z",
  },
  errorMessage: { message: "division by zero", programmingLanguage: "SQL", stackTrace: "at 1" },
  externalQuery: { externalQueryId: "01b2", source: "snowflake" },
  processing_engine: { version: "3.5.1", name: "spark", openlineageAdapterVersion: "1.30.0" },
  extractionError: {
    totalTasks: 2,
    failedTasks: 1,
    errors: [{ errorMessage: "not SQL", stackTrace: "at 2", task: "SELEC", taskNumber: 1 }],
  },
  jobDependencies: {
    upstream: [{
      job: { namespace: "airflow", name: "daily.load" },
      run: { runId },
      dependency_type: "DIRECT_INVOCATION",
      sequence_trigger_rule: "FINISH_TO_START",
      status_trigger_rule: "EXECUTE_ON_SUCCESS",
    }],
    downstream: [],
    trigger_rule: "ALL_SUCCESS",
  },
  tags: { tags: [{ key: "team", value: "sales", source: "dag" }] },
  test: {
    tests: [{
      name: "totals_positive",
      status: "fail",
      severity: "warn",
      type: "sql",
      expected: "0",
      actual: "3",
      content: "SELECT 1",
      contentType: "sql",
      params: { limit: 3 },
    }],
  },
};

/** Every facet of a job that is used. */
export const jobFacetSamples: Record<string, object> = {
  sql: { query: "INSERT INTO totals SELECT sum(price) FROM orders", dialect: "postgresql" },
  documentation: { description: "Totals of a day", contentType: "text/markdown" },
  sourceCodeLocation: {
    type: "git",
    url: "https://git.example/shop/pipelines/totals.sql",
    repoUrl: "https://git.example/shop/pipelines.git",
    path: "totals.sql",
    version: "3f2c",
    tag: "v1",
    branch: "main",
    pullRequestNumber: "12",
  },
  jobType: {
    processingType: "STREAMING",
    integration: "FLINK",
    jobType: "JOB",
    emissionPattern: {
      eventTrigger: "PERIODIC",
      eventContentMode: "COMPLETE_SNAPSHOT",
      windowDuration: 60,
    },
  },
  tags: { tags: [{ key: "critical", value: "true", source: "CONFIG" }] },
  ownership: { owners: [{ name: "team:sales", type: "MAINTAINER" }] },
  lineage: {
    entries: [
      {
        ...totals,
        type: "DATASET",
        inputs: [{ ...orders, type: "DATASET" }, { ...job, type: "JOB", runId }],
        fields: {
          total: { inputs: [{ ...orders, type: "DATASET", field: "price", transformations }] },
        },
      },
      { type: "JOB", inputs: [{ ...orders, type: "DATASET", field: "id" }] },
    ],
  },
};

/** Every facet of a dataset that is used. */
export const datasetFacetSamples: Record<string, object> = {
  schema: {
    fields: [
      { name: "id", type: "bigint", ordinal_position: 1, description: "Of an order" },
      { name: "address", type: "struct", fields: [{ name: "city", type: "text" }] },
    ],
  },
  documentation: { description: "Orders of the shop" },
  tags: { tags: [{ key: "pii", value: "true", field: "address" }] },
  ownership: { owners: [{ name: "user:ada" }] },
  storage: { storageLayer: "iceberg", fileFormat: "parquet" },
  dataSource: { name: "warehouse", uri: `${warehouse}/shop` },
  catalog: {
    framework: "iceberg",
    type: "hive",
    name: "lake",
    metadataUri: "thrift://hive.example:9083",
    warehouseUri: "s3://lake/warehouse",
    source: "spark",
    catalogProperties: { a: "b" },
  },
  version: { datasetVersion: "42" },
  hierarchy: { hierarchy: [{ type: "DATABASE", name: "shop" }, { type: "TABLE", name: "orders" }] },
  datasetType: { datasetType: "VIEW", subType: "MATERIALIZED" },
  symlinks: { identifiers: [{ namespace: "s3://lake", name: "orders", type: "LOCATION" }] },
  columnLineage: {
    fields: {
      total: {
        inputFields: [{ ...orders, field: "price", transformations }],
        transformationDescription: "sum",
        transformationType: "AGGREGATION",
      },
    },
    dataset: [{ ...orders, field: "id", transformations }],
  },
  dataQualityMetrics: {
    rowCount: 10,
    bytes: 1_000,
    fileCount: 1,
    lastUpdated: "2026-03-01T00:00:00Z",
    columnMetrics: {
      id: {
        nullCount: 0,
        distinctCount: 10,
        sum: 55,
        count: 10,
        min: 1,
        max: 10,
        quantiles: { "0.5": 5.5 },
      },
    },
  },
  dataQualityAssertions: {
    assertions: [{ assertion: "not_null", success: false, column: "id", severity: "warn" }],
  },
  lifecycleStateChange: {
    lifecycleStateChange: "RENAME",
    previousIdentifier: { namespace: warehouse, name: "shop.public.old_orders" },
  },
  lineage: {
    inputs: [{ ...orders, type: "DATASET" }],
    fields: { total: { inputs: [{ ...orders, type: "DATASET", field: "price" }] } },
  },
};

const statistics = { rowCount: 10, size: 1_000, fileCount: 2 };

const framed = (samples: Record<string, object>) =>
  Object.fromEntries(Object.entries(samples).map(([name, members]) => [name, facet(members)]));

/** A run that ends, with every facet. */
export function wholeRunEvent() {
  return {
    eventType: "COMPLETE",
    eventTime: "2026-03-01T10:00:00.123456+01:00",
    producer,
    schemaURL: "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
    run: { runId, facets: framed(runFacetSamples) },
    job: { ...job, facets: framed(jobFacetSamples) },
    inputs: [{
      ...orders,
      facets: framed(datasetFacetSamples),
      inputFacets: framed({
        inputStatistics: statistics,
        dataQualityMetrics: datasetFacetSamples.dataQualityMetrics!,
        dataQualityAssertions: datasetFacetSamples.dataQualityAssertions!,
      }),
    }],
    outputs: [{
      ...totals,
      facets: framed(datasetFacetSamples),
      outputFacets: framed({ outputStatistics: statistics }),
    }],
  };
}

/** The least that a client sends of a run. */
export function smallRunEvent(type = "START") {
  return {
    eventType: type,
    eventTime: "2026-03-01T10:00:00Z",
    run: { runId },
    job: { ...job },
    inputs: [{ ...orders }],
    outputs: [{ ...totals }],
  };
}

export function jobEvent() {
  const { inputs, outputs, eventTime, job } = wholeRunEvent();
  return { eventTime, producer, job, inputs, outputs };
}

export function datasetEvent() {
  return {
    eventTime: "2026-03-01T10:00:00Z",
    producer,
    dataset: { ...orders, facets: framed(datasetFacetSamples) },
  };
}
