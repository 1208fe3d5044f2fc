import { tracesSpans } from "#contract/topics.ts";
import type { SpanFact } from "#contract/traces.ts";
import type { EventLog } from "#eventlog/port.ts";
import { unpack } from "#services/trace-gateway/facts/index.ts";
import { traceGatewayService } from "#services/trace-gateway/service.ts";
import {
  type EngineSet,
  type Instance,
  type InstanceOptions,
  startInstance,
} from "../engines/instance.ts";

/** A trace gateway in this process, with the addresses of its receivers. */
export interface Gateway extends Instance {
  http: string;
}

/** Starts a gateway alone, on free ports; `traces` is laid over those. */
export async function startGateway(
  set: EngineSet,
  traces: Record<string, unknown> = {},
  options: InstanceOptions = {},
): Promise<Gateway> {
  const ports = { http: { port: 0 }, grpc: { port: 0 } };
  const instance = await startInstance(set, {
    services: [traceGatewayService],
    ...options,
    config: { ...options.config, traces: { ...ports, ...traces } },
  });
  return { ...instance, http: await receiverUrl(instance, "OTLP/HTTP receiver") };
}

/** Health of the workers of an instance. */
export async function workersOf(instance: { url: string }) {
  const response = await fetch(`${instance.url}/health/ready`);
  const { workers } = await response.json() as {
    workers: Record<string, { ready: boolean; state: string; detail?: string }>;
  };
  return workers;
}

/** `host:port` of the gRPC receiver. */
export const grpcAddress = (instance: { url: string }) =>
  receiverUrl(instance, "OTLP/gRPC receiver");

/** Where a receiver listens, as its health tells. */
export async function receiverUrl(instance: { url: string }, name: string): Promise<string> {
  return (await workersOf(instance))[name]?.detail ?? "";
}

/** Process id of the gRPC receiver, as `logs` (JSON lines) last told. */
export function grpcPid(logs: string[]): number {
  const lines = logs.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  return lines.findLast((line) => line.worker === "OTLP/gRPC receiver" && line.pid)?.pid ?? 0;
}

/** All facts of spans in the event log. */
export async function factsInLog(events: EventLog): Promise<SpanFact[]> {
  const facts: SpanFact[] = [];
  for (const { partition, start, end } of await events.bounds(tracesSpans)) {
    for (let from = start; from < end;) {
      const records = await events.read(tracesSpans, { partition, from, to: end, limit: 500 });
      if (records.length === 0) break;
      for (const record of records) facts.push(...unpack(record));
      from = records.at(-1)!.offset + 1;
    }
  }
  return facts;
}
