import type { IntegrationSpec } from "#services/api/features/integrations/integration.ts";
import { alertmanager } from "./alertmanager.ts";
import { collectors } from "./collectors.ts";
import { datahub } from "./datahub.ts";
import { http } from "./http.ts";
import { kafka } from "./kafka.ts";
import { mcp } from "./mcp.ts";
import { openLineage } from "./openlineage.ts";
import { airflow, dbt, flink, spark } from "./openlineage-engines.ts";
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
