import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { trace } from "@opentelemetry/api";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startExport } from "#platform/telemetry/trace-export.ts";
import { eventually } from "#test/support/eventually.ts";

const uncaught: unknown[] = [];
const note = (error: unknown) => void uncaught.push(error);

beforeEach(() => void process.on("uncaughtException", note));
afterEach(() => {
  process.off("uncaughtException", note);
  vi.unstubAllEnvs();
});

/** Accepts each request, and closes its connection shortly after the answer, as a receiver that stops does. */
async function receiver(port = 0) {
  const requests: Socket[] = [];
  const server: Server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => {
      requests.push(socket);
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    });
  });
  await new Promise<void>((listening) => void server.listen(port, "127.0.0.1", listening));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    async stop() {
      for (const socket of requests) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

it("a receiver that goes away and comes back gets the later spans, and stops nothing here", async () => {
  vi.stubEnv("OTEL_BSP_SCHEDULE_DELAY", "20");
  vi.stubEnv("OTEL_EXPORTER_OTLP_TIMEOUT", "300");
  const first = await receiver();
  const spans = startExport({ url: `http://127.0.0.1:${first.port}/v1/traces` });
  const span = () => trace.getTracer("tributary.http").startSpan("any").end();
  span();
  await eventually(() => expect(first.requests.length).toBeGreaterThan(0));
  await first.stop();
  span();
  const gone = Date.now();
  await eventually(() => {
    span();
    // Later than the deadline of the export that found nobody.
    expect(Date.now() - gone).toBeGreaterThan(900);
  });
  const again = await receiver(first.port);
  await eventually(() => {
    span();
    expect(again.requests.length).toBeGreaterThan(0);
  });
  expect(uncaught).toEqual([]);
  await spans.shutdown();
  await again.stop();
});
