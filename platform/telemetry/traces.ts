import { z } from "zod";
import { messageOf } from "#kit/errors.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import type { TraceExport, TraceOptions } from "./trace-export.ts";

let started = false;

/**
 * Starts exporting spans; null when this process already exports some, since tracers stay with the first
 * provider they meet.
 */
async function exportTraces(options: TraceOptions): Promise<TraceExport | null> {
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

const channel = "self_trace";

/**
 * How long processes should export their traces. It must not say where to: every account of the database
 * server may notify, and exports carry the receiver's token.
 */
const Demand = z.strictObject({ seconds: z.int().min(0).max(86_400) });
type TraceDemand = z.infer<typeof Demand>;

const notify = statement("trace-demand")`SELECT pg_notify($1, $2)`;

/** Requests every running process of this instance to export its traces for `demand.seconds`. */
export async function demandTraces(db: Queryable, demand: TraceDemand): Promise<void> {
  await db.query(notify, [channel, JSON.stringify(Demand.parse(demand))]);
}

/** Address of the OTLP/HTTP receiver, as this process reaches it. */
export function receiverAddress({ traces: { http, tls, "self-url": given } }: Config): string {
  if (given) return given;
  const scheme = tls["cert-file"] ? "https" : "http";
  const host = http.host === "0.0.0.0" || http.host === "::" ? "127.0.0.1" : http.host;
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${http.port}`;
}

/**
 * Exports traces to the configured receiver while `demandTraces` requests it; `service` as in `TraceOptions`.
 * Returns a handle that flushes and ends the export.
 */
export function traceOnDemand(
  { wakeups, clock, config, log }: Context,
  service?: string,
): () => Promise<void> {
  let until = 0;
  let exporting: Promise<TraceExport | null> | undefined;
  const url = new URL("/v1/traces", receiverAddress(config)).href;
  const take = async (payload: string) => {
    try {
      const { seconds } = Demand.parse(JSON.parse(payload));
      until = clock.now() + seconds * 1_000;
      const token = config.traces.token;
      const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
      exporting ??= exportTraces({ service, url, headers, wanted: () => clock.now() < until });
      if (await exporting) log.info("exporting traces on demand", { url, seconds });
      else log.warn("traces go elsewhere already: OTEL_EXPORTER_OTLP_ENDPOINT is set", { url });
    } catch (error) {
      log.warn("traces cannot be exported", { error: messageOf(error) });
    }
  };
  const unlisten = wakeups.on(channel, (payload) => {
    if (payload !== "") void take(payload);
  });
  return async () => {
    unlisten();
    await exporting?.then((running) => running?.shutdown(), () => {});
  };
}
