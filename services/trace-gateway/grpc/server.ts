import { Buffer } from "node:buffer";
import * as grpc from "@grpc/grpc-js";
import { rpcCode } from "../receivers/refusal.ts";
import { Admission } from "./admission.ts";
import { type Answer, statusOf } from "./answer.ts";
import { forward } from "./forward.ts";
import type { Orders } from "./protocol.ts";

const service = (signal: string) =>
  `opentelemetry.proto.collector.${signal}.v1.${signal[0]!.toUpperCase()}${signal.slice(1)}Service`;

const raw = (bytes: Buffer) => bytes;

/** `Export` of a signal, whose messages stay the bytes that they are. */
function definition(signal: string): grpc.ServiceDefinition {
  return {
    Export: {
      path: `/${service(signal)}/Export`,
      requestStream: false,
      responseStream: false,
      requestSerialize: raw,
      requestDeserialize: raw,
      responseSerialize: raw,
      responseDeserialize: raw,
    },
  };
}

const standardWindow = 1024 * 1024;

/** A server of OTLP over gRPC that hands every message to the intake; not yet bound. */
export function createServer(orders: Orders): grpc.Server {
  const admission = new Admission(orders);
  const server = new grpc.Server({
    "grpc.max_receive_message_length": orders.maxBytes,
    "grpc.max_concurrent_streams": 100,
    "grpc-node.flow_control_window": standardWindow,
    "grpc.keepalive_time_ms": 60_000,
    "grpc.keepalive_timeout_ms": 20_000,
    "grpc.enable_channelz": 0,
    interceptors: [admission.interceptor],
  });
  server.addService(definition("trace"), {
    Export: (call: grpc.ServerUnaryCall<Buffer, Buffer>, callback: grpc.sendUnaryData<Buffer>) =>
      void admission.within(call.request.length, () => forward(call.request, orders))
        .then((answer) => reply(answer, callback)),
  });
  for (const signal of ["metrics", "logs"]) {
    server.addService(definition(signal), { Export: refuseSignal(signal) });
  }
  return server;
}

function reply(answer: Answer, callback: grpc.sendUnaryData<Buffer>): void {
  if ("bytes" in answer) callback(null, answer.bytes);
  else callback(statusOf(answer.refusal));
}

function refuseSignal(signal: string): grpc.handleUnaryCall<Buffer, Buffer> {
  return (_, callback) =>
    reply({
      refusal: {
        status: 404,
        code: rpcCode.unimplemented,
        message: `This gateway takes traces, no ${signal}`,
      },
    }, callback);
}
