import { z } from "@hono/zod-openapi";
import { Int, Long, optional } from "#contract/catalogue/common.ts";
import { DataEntityRunStatus, DataQualityTestSeverity } from "#contract/catalogue/entity.ts";

export const SLAColour = z.enum(["GREEN", "YELLOW", "RED"]).openapi("SLAColour");
export type SLAColour = z.output<typeof SLAColour>;

/** The weight of all tests of a severity together. */
export const DataSetSLASeverityWeight = z.object({
  severity: DataQualityTestSeverity,
  count: Long,
}).openapi("DataSetSLASeverityWeight");

/**
 * `total` is the weight of all tests whose last finished run was SUCCESS or FAILED, `success` that of
 * those that succeeded. `sla_ref` is the address of the badge.
 */
export const DataSetSLAReport = z.object({
  total: Long,
  success: Long,
  sla_colour: SLAColour,
  severity_weights: z.array(DataSetSLASeverityWeight),
  sla_ref: z.string(),
}).openapi("DataSetSLAReport");

/**
 * Tests of a dataset by the status of their last finished run; `unknown_total` has those that never
 * finished, too. `running_total` are those whose latest run is in flight. `score` is the percentage of
 * tests that succeeded, null without tests.
 */
export const DataSetTestReport = z.object({
  score: optional(Int),
  total: optional(Long),
  success_total: optional(Long),
  failed_total: optional(Long),
  skipped_total: optional(Long),
  broken_total: optional(Long),
  aborted_total: optional(Long),
  unknown_total: optional(Long),
  running_total: optional(Long),
}).openapi("DataSetTestReport");

/** Finished runs of the tests of a dataset by day, in UTC. */
export const DataSetTestHistory = z.object({
  days: z.array(
    z.object({
      date: z.string().openapi({ format: "date" }),
      success: Long,
      failed: Long,
      /** Broken, aborted, skipped, or without a result. */
      other: Long,
    }).openapi("DataSetTestDay"),
  ),
}).openapi("DataSetTestHistory");

export const DataQualityTestSeverityForm = z.object({ severity: DataQualityTestSeverity })
  .openapi("DataQualityTestSeverityForm");

export const DataQualityRunStatusCount = z.object({ status: DataEntityRunStatus, count: Int })
  .openapi("DataQualityRunStatusCount");
/** Tests of a category by the status of their latest run, in flight or not. */
export const DataQualityCategoryResults = z.object({
  category: z.string(),
  results: z.array(DataQualityRunStatusCount),
}).openapi("DataQualityCategoryResults");

/** Tested datasets by the last finished runs of their tests. */
export const TablesHealthDashboard = z.object({
  healthy_tables: Int,
  error_tables: Int,
  warning_tables: Int,
  unknown_tables: Int,
}).openapi("TablesHealthDashboard");
export const MonitoredTablesDashboard = z.object({
  monitored_tables: Int,
  not_monitored_tables: Int,
}).openapi("MonitoredTablesDashboard");
export const TablesDashboard = z.object({
  tables_health: TablesHealthDashboard,
  monitored_tables: MonitoredTablesDashboard,
}).openapi("TablesDashboard");

export const DataQualityResults = z.object({
  test_results: z.array(DataQualityCategoryResults),
  tables_dashboard: TablesDashboard,
}).openapi("DataQualityResults");
export type DataQualityResults = z.output<typeof DataQualityResults>;
