import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { testCertificate } from "#test/support/engines/certificate.ts";
import {
  factsInLog,
  type Gateway,
  grpcAddress,
  startGateway,
} from "#test/support/traces/gateway.ts";
import { exportSpans } from "#test/support/traces/otlp-clients.ts";
import { oneSetBySize } from "#test/support/engines/sets-by-size.ts";

const protocols = ["http/protobuf", "http/json", "grpc"];
const started: Gateway[] = [];
afterAll(async () => {
  for (const gateway of started) await gateway.stop();
});

async function gatewayWith(set: "embedded" | "distributed", traces: Record<string, unknown>) {
  const gateway = await startGateway(set, traces);
  started.push(gateway);
  return gateway;
}

/** Environment of an application that exports to a gateway. */
async function pointedAt(gateway: Gateway, protocol: string): Promise<Record<string, string>> {
  const scheme = new URL(gateway.http).protocol;
  const endpoint = protocol === "grpc" ? `${scheme}//${await grpcAddress(gateway)}` : gateway.http;
  return {
    OTEL_SERVICE_NAME: "orders",
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  };
}

async function factsOfTraces({ events }: Gateway, traceIds: string[]) {
  return (await factsInLog(events)).filter((fact) => traceIds.includes(fact.traceId));
}

describe.each(oneSetBySize())("stock exporters of the Node SDK (%s)", (set) => {
  const plain = gatewayWith(set, {});

  it.each(protocols)("createReceivers: %s compressed, several exports", async (
    protocol,
  ) => {
    const gateway = await plain;
    const env = {
      ...await pointedAt(gateway, protocol),
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    };
    const { traceIds, errors: errors } = await exportSpans(env, 20, 3);
    expect(errors).toEqual([]);
    expect(traceIds).toHaveLength(60);
    const facts = await factsOfTraces(gateway, traceIds);
    expect(facts).toHaveLength(60);
    expect(facts[0]).toMatchObject({
      kind: "server",
      operation: "GET /orders/{id}",
      service: { name: "orders" },
      error: false,
    });
  });

  it.each(protocols)("createReceivers: %s uncompressed", async (protocol) => {
    const gateway = await plain;
    const { traceIds, errors: errors } = await exportSpans(
      await pointedAt(gateway, protocol),
      5,
    );
    expect(errors).toEqual([]);
    expect(await factsOfTraces(gateway, traceIds)).toHaveLength(5);
  });
});

describe("with a token and TLS", () => {
  const directory = mkdtempSync(join(tmpdir(), "tributary-tls-"));
  afterAll(() => rmSync(directory, { recursive: true }));
  const certificate = testCertificate();
  const file = (name: keyof typeof certificate) => {
    const path = join(directory, `${name}.pem`);
    writeFileSync(path, certificate[name]);
    return path;
  };
  const token = "a-token-of-exporters-of-32-characters";
  const secured = gatewayWith("embedded", {
    token,
    tls: { "cert-file": file("cert"), "key-file": file("key") },
  });
  const trusting = (authorization: string) => ({
    OTEL_EXPORTER_OTLP_CERTIFICATE: file("ca"),
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(authorization)}`,
  });

  it.each(protocols)("createReceivers: %s with the token", async (protocol) => {
    const gateway = await secured;
    const env = { ...await pointedAt(gateway, protocol), ...trusting(`Bearer ${token}`) };
    const { traceIds, errors: errors } = await exportSpans(env, 3);
    expect(errors).toEqual([]);
    expect(await factsOfTraces(gateway, traceIds)).toHaveLength(3);
  });

  it.each(protocols)("tokenCheck: %s with another token is refused", async (protocol) => {
    const gateway = await secured;
    const env = { ...await pointedAt(gateway, protocol), ...trusting("Bearer another-token") };
    const { traceIds, errors: errors } = await exportSpans(env, 3);
    expect(errors.join()).toMatch(/401|UNAUTHENTICATED|bearer token|Unauthorized/i);
    expect(await factsOfTraces(gateway, traceIds)).toEqual([]);
  });
});
