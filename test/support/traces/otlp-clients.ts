import { execFile } from "node:child_process";
import { messageOf } from "#kit/errors.ts";

export interface ExportResult {
  /** One a span. */
  traceIds: string[];
  /** What the SDK complained of. */
  errors: string[];
}

/** Exports by the stock SDK of Node, in a process of its own, set up by `env` alone. */
export function exportSpans(
  env: Record<string, string>,
  count = 1,
  rounds = 1,
): Promise<ExportResult> {
  const quiet = { OTEL_METRICS_EXPORTER: "none", OTEL_LOGS_EXPORTER: "none" };
  return runNode("test/support/traces/otlp-exporter.mjs", [`${count}`, `${rounds}`], {
    ...quiet,
    OTEL_EXPORTER_OTLP_TIMEOUT: "8000",
    ...env,
  });
}

export interface GrpcCall {
  /** Base64. */
  body: string;
  method?: string;
  metadata?: Record<string, string>;
  /** Ends the connection as soon as the call is on its way. */
  leave?: boolean;
  /** How often it is sent over one connection. */
  times?: number;
}

export interface GrpcAnswer {
  code: number;
  details: string;
  /** Base64 of the answer, and of grpc-status-details-bin. */
  body: string;
  statusDetails: string;
}

/** Calls a gRPC server with raw messages; on Node, since the client library does not connect on Deno. */
export function grpcCalls(address: string, calls: GrpcCall[]): Promise<GrpcAnswer[]> {
  return runNode("test/support/traces/grpc-client.mjs", [address], {}, JSON.stringify(calls));
}

export interface Abuse {
  /** Connections that were made, and how many of them were cut off. */
  connections: number;
  cut: number;
  /** Trace ids of the messages that were answered with success. */
  acknowledged: string[];
}

/** Connects, sends and leaves abruptly, for `seconds`. */
export function abuseGrpc(address: string, seconds: number, seed: number): Promise<Abuse> {
  return runNode("test/support/traces/grpc-abuse.mjs", [address, `${seconds}`, `${seed}`]);
}

export interface Breach {
  /** Connections that were made, how many of them found nobody, and how many were cut off. */
  connections: number;
  refused: number;
  cut: number;
}

/** Breaks the rules of HTTP/2 in every known way: connections of each kind, with so many frames each. */
export function breakHttp2(
  address: string,
  options: { connections: number; frames: number; seed: number },
): Promise<Breach> {
  const args = [options.connections, options.frames, options.seed].map(String);
  return runNode("test/support/http/http2-abuse.mjs", [address, ...args]);
}

/** Makes gRPC calls whose message never comes whole; resolves with how each ended, and when. */
export function stallGrpc(
  address: string,
  calls: number,
  bytes: number,
): Promise<{ code: number; ms: number }[]> {
  return runNode("test/support/traces/grpc-stall.mjs", [address, `${calls}`, `${bytes}`]);
}

function runNode<T>(
  file: string,
  args: string[],
  env: Record<string, string> = {},
  input = "",
): Promise<T> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, timeout: 900_000, maxBuffer: 1 << 28 };
    const child = execFile("node", [file, ...args], options, (error, stdout, stderr) => {
      try {
        if (error) throw error;
        resolve(JSON.parse(stdout) as T);
      } catch (cause) {
        reject(new Error(`${file}: ${messageOf(cause)}\n${stderr}`, { cause }));
      }
    });
    child.stdin!.end(input);
  });
}
