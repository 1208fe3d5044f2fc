import type { TraceExport, TraceOptions } from "./trace-export.ts";

let started = false;

/**
 * Starts exporting spans; null when this process already exports some, since tracers stay with the first
 * provider they meet.
 */
export async function exportTraces(options: TraceOptions): Promise<TraceExport | null> {
  if (started) return null;
  started = true;
  // The libraries take 7 MB of every process, and few installations export traces.
  const { startExport } = await import("./trace-export.ts");
  return startExport(options);
}

/**
 * Exports spans as the OpenTelemetry environment variables say, when `OTEL_EXPORTER_OTLP_ENDPOINT` (or
 * `…_TRACES_ENDPOINT`) is set; otherwise does nothing. `service` is the name when the process runs one
 * service. Returns a handle that flushes and ends the export.
 */
export async function startTraces(
  service: string | undefined,
  env: Record<string, string | undefined>,
): Promise<() => Promise<void>> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return () => Promise.resolve();
  const exporting = await exportTraces({ service: env.OTEL_SERVICE_NAME ?? service });
  return () => exporting?.shutdown() ?? Promise.resolve();
}
