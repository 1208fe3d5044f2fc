import type { Service } from "#platform/service.ts";

/** Takes OpenTelemetry traces, and makes lineage between services and data of them. */
export const traceGatewayService: Service = {
  name: "trace-gateway",
  create() {
    return { routes: [], workers: [] };
  },
};
