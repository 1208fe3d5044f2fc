import type { IntegrationSpec } from "#services/api/features/integrations/integration.ts";
import { alertmanager } from "./alertmanager.ts";
import { collectors, datahub } from "./collectors.ts";
import { http, kafka } from "./batches.ts";
import { mcp } from "./mcp.ts";
import { airflow, dbt, flink, openLineage, spark } from "./openlineage.ts";
import { openTelemetry } from "./opentelemetry.ts";

/** All integrations, in the order in which they are shown. */
export const integrations: readonly IntegrationSpec[] = [
  collectors,
  dbt,
  airflow,
  spark,
  flink,
  openLineage,
  datahub,
  openTelemetry,
  alertmanager,
  http,
  kafka,
  mcp,
];
