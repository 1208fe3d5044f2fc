import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engineSets } from "#test/support/engines/instance.ts";
import { factsInLog, type Gateway, startGateway } from "#test/support/traces/gateway.ts";
import { newId, otlpBytes, otlpJson, serverSpans } from "#test/support/traces/otlp.ts";
import { sendRaw } from "#test/support/http/raw-http.ts";
import { otlp, rpc } from "../otlp/generated/otlp.js";

const protobuf = { "content-type": "application/x-protobuf" };
const json = { "content-type": "application/json; charset=utf-8" };

describe.each(engineSets())("httpReceiver (%s)", (set) => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway(set, { "max-request-size": "1 MB" });
  });
  afterAll(() => gateway.stop());

  const post = (body: BodyInit, headers: Record<string, string>, path = "/v1/traces") =>
    fetch(gateway.http + path, { method: "POST", body, headers });

  it.each([
    ["protobuf", protobuf, otlpBytes],
    ["JSON", json, otlpJson],
  ])("httpReceiver: answers success for %s only once its spans are in the event log", async (
    _,
    headers,
    encode,
  ) => {
    const traceId = newId(16);
    const request = serverSpans(3, "orders");
    for (const span of request.spans) span.traceId = traceId;
    const response = await post(encode([request]), headers);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(headers["content-type"].split(";")[0]);
    const text = await response.text();
    expect(text).toBe(headers === protobuf ? "" : "{}");
    const facts = (await factsInLog(gateway.events)).filter((f) => f.traceId === traceId);
    expect(facts).toHaveLength(3);
    expect(facts[0]).toMatchObject({
      kind: "server",
      operation: "GET /orders/{id}",
      service: { name: "orders" },
      durationMicros: 5_000,
    });
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
  ])("httpReceiver: inflates %s", async (encoding, compress) => {
    const headers = { ...protobuf, "content-encoding": encoding };
    const response = await post(new Uint8Array(compress(otlpBytes([serverSpans(2)]))), headers);
    expect(response.status).toBe(200);
  });

  it("httpReceiver: refused spans are told, the others are taken", async () => {
    const request = serverSpans(3);
    const traceId = newId(16);
    request.spans[0]!.traceId = "00".repeat(16);
    request.spans[1]!.spanId = "ab";
    request.spans[2]!.traceId = traceId;
    const response = await post(otlpBytes([request]), protobuf);
    expect(response.status).toBe(200);
    const answer = otlp.ExportTraceServiceResponse.decode(
      new Uint8Array(await response.arrayBuffer()),
    );
    expect(Number(answer.partialSuccess?.rejectedSpans)).toBe(2);
    expect(answer.partialSuccess?.errorMessage).toContain("trace id must be 16 bytes");
    const inJson = await post(otlpJson([request]), json);
    expect(await inJson.json()).toMatchObject({ partialSuccess: { rejectedSpans: "2" } });
    const facts = await factsInLog(gateway.events);
    expect(facts.filter((f) => f.traceId === traceId)).toHaveLength(2);
  });

  it("httpReceiver: a zip bomb ends at the size limit, without having been inflated", async () => {
    const bomb = gzipSync(new Uint8Array(512 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    const before = process.memoryUsage().rss;
    const response = await post(new Uint8Array(bomb), { ...protobuf, "content-encoding": "gzip" });
    expect(response.status).toBe(413);
    const status = rpc.Status.decode(new Uint8Array(await response.arrayBuffer()));
    expect(status.message).toContain("traces.max-request-size");
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1024 * 1024);
  });

  it.each([
    ["what is no protobuf", "\xff\xff\xff", protobuf, 400, /not a protobuf/],
    ["what is no JSON", "{", json, 400, /not JSON/],
    [
      "a wrong field",
      '{"resourceSpans":[{"scopeSpans":7}]}',
      json,
      400,
      /resourceSpans\[0\]\.scope/,
    ],
    ["no gzip", "abc", { ...json, "content-encoding": "gzip" }, 400, /not gzip/],
    ["an unknown compression", "{}", { ...json, "content-encoding": "br" }, 415, /gzip, deflate/],
    ["an unknown type", "a: 1", { "content-type": "text/yaml" }, 415, /application\/x-protobuf/],
    ["too much", " ".repeat(1024 * 1024 + 1), json, 413, /larger than/],
  ])("httpReceiver: refuses %s, saying why in the request's encoding", async (
    _,
    body,
    headers: Record<string, string>,
    status,
    message,
  ) => {
    const response = await post(body, headers);
    expect(response.status).toBe(status);
    expect(response.headers.get("retry-after")).toBeNull();
    const bytes = new Uint8Array(await response.arrayBuffer());
    const inProtobuf = headers["content-type"] === protobuf["content-type"];
    const decoded = inProtobuf
      ? rpc.Status.decode(bytes)
      : JSON.parse(new TextDecoder().decode(bytes));
    expect(decoded.message).toMatch(message);
  });

  it.each(["metrics", "logs"])("httpReceiver: says that %s are not taken", async (signal) => {
    const response = await post("{}", json, `/v1/${signal}`);
    expect(response.status).toBe(404);
    expect((await response.json()).message).toContain(`no ${signal}`);
  });

  it.each<[string, string, string[], number, RegExp]>([
    ["a host of another name", "evil.example", [], 421, /server\.hosts/],
    ["what is no host", "a:99999", [], 400, /Host/],
    [
      "a page of another site",
      "localhost",
      ["Origin: https://evil.example"],
      403,
      /server\.cors\.origins/,
    ],
  ])("httpReceiver: refuses %s", async (_, host, headers, status, message) => {
    const head = ["POST /v1/traces HTTP/1.1", `Host: ${host}`, ...headers];
    const type = "Content-Type: application/json";
    const answer = await sendRaw(gateway.http, [...head, type, "Content-Length: 2"], "{}");
    expect([answer.status, JSON.parse(answer.text).message]).toEqual([
      status,
      expect.stringMatching(message),
    ]);
  });

  it("httpReceiver: knows only POST", async () => {
    const response = await fetch(`${gateway.http}/v1/traces`);
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
    await response.body?.cancel();
  });

  it("httpReceiver: takes a chunked body", async () => {
    const bytes = otlpBytes([serverSpans(50)]);
    const body = ReadableStream.from([bytes.subarray(0, 100), bytes.subarray(100)]);
    const response = await fetch(`${gateway.http}/v1/traces`, {
      method: "POST",
      body,
      headers: protobuf,
      duplex: "half",
    } as RequestInit);
    expect(response.status).toBe(200);
  });

  it("intakeMetrics: what was received is accepted, refused or dropped", async () => {
    const text = await (await fetch(`${gateway.url}/metrics`)).text();
    const sum = (what: string) =>
      [...text.matchAll(new RegExp(`^tributary_traces_spans_${what}_total\\{.*\\} (\\d+)$`, "gm"))]
        .reduce((total, match) => total + Number(match[1]), 0);
    expect(sum("received")).toBeGreaterThan(10);
    expect(sum("received")).toBe(sum("accepted") + sum("refused") + sum("dropped"));
    expect(text).toContain("tributary_traces_in_flight_bytes 0");
  });
});
