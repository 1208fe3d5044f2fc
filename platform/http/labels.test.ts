import { afterAll, beforeAll, expect, it } from "vitest";
import { maxLabel } from "#platform/telemetry/metrics.ts";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { traceGatewayService } from "#services/trace-gateway/service.ts";
import { eventually } from "#test/support/eventually.ts";
import { receiverUrl } from "#test/support/traces/gateway.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { otlpBytes } from "#test/support/traces/otlp.ts";
import { sendRaw } from "#test/support/http/raw-http.ts";

/** Part of every value that is sent; no label may contain it. */
const mark = "zzhostile";
const rounds = 60;

let instance: Instance;
beforeAll(async () => {
  const services = [apiService, ingestConsumerService, traceGatewayService];
  instance = await startInstance("embedded", { services });
});
afterAll(() => instance.stop());

/** Labels of service graphs contain service names, which senders choose; at most 2,000 pairs are stored. */
const ofServices = /^traces_service_graph_/;

interface Series {
  metric: string;
  labels: string;
}

async function series(): Promise<Series[]> {
  const text = await (await instance.send("GET", "/metrics")).text();
  return text.split("\n").flatMap((line) => {
    const [, metric = "", labels = ""] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? /.exec(line) ?? [];
    return metric === "" ? [] : [{ metric, labels }];
  });
}

async function hostile(round: number): Promise<void> {
  const word = `${mark}${round}`;
  const head = ["Host: localhost", "Content-Type: application/json"];
  await sendRaw(instance.url, [`${word.toUpperCase()} /api/${word} HTTP/1.1`, ...head]);
  await sendRaw(instance.url, [`GET /${word}/${"y".repeat(2_000)} HTTP/1.1`, ...head]);
  await sendRaw(instance.url, ["GET /metrics HTTP/1.1", `Host: ${word}.example`]);
  await instance.send("GET", `/api/dataentities/${word}`);
  await instance.send("POST", "/api/search", { [word]: word });
  await instance.send("POST", "/ingestion/datasources", {
    items: [{ catrn: `//${word}`, name: word }],
  });
  for (const type of ["TABLE", word]) {
    const item = { catrn: `//${word}/a`, name: word, type, dataset: { field_list: [] } };
    await instance.send("POST", "/ingestion/entities", {
      data_source_catrn: `//${word}`,
      items: [item],
    });
  }
}

async function hostileSpans(url: string, round: number): Promise<void> {
  const word = `${mark}${round}`;
  const attributes = {
    "http.request.method": word,
    "db.system.name": word,
    "messaging.system": word,
    "server.address": word,
    "error.type": word,
  };
  const spans = [2, 3, 4, 5].map((kind) => ({ name: word, kind, attributes }));
  await (await fetch(`${url}/v1/traces`, {
    method: "POST",
    headers: { "content-type": "application/x-protobuf" },
    body: otlpBytes([{ resource: { "service.name": word, "telemetry.sdk.name": word }, spans }]),
  })).body?.cancel();
}

it("labels of a process are of its own making, whatever is sent to it", async () => {
  const before = await series();
  const traces = await receiverUrl(instance, "OTLP/HTTP receiver");
  for (let round = 0; round < rounds; round++) {
    await hostile(round);
    await hostileSpans(traces, round);
  }
  const after = await eventually(async () => {
    const now = await series();
    expect(now.some(({ metric }) => ofServices.test(metric))).toBe(true);
    return now;
  });
  const foreign = after.filter(({ metric, labels }) =>
    !ofServices.test(metric) && labels.toLowerCase().includes(mark)
  );
  expect(foreign).toEqual([]);
  const values = after.flatMap(({ labels }) =>
    [...labels.matchAll(/="((?:[^"\\]|\\.)*)"/g)].map(([, value]) => value!)
  );
  expect(Math.max(...values.map((value) => value.length))).toBeLessThanOrEqual(maxLabel);
  // Housekeeping may run for the first time meanwhile; the names of its jobs are its own.
  const ours = ({ metric }: Series) =>
    !ofServices.test(metric) && !metric.startsWith("tributary_housekeeping_");
  const own = (all: Series[]) => all.filter(ours).length;
  // Allows for a few routes and statuses that occur for the first time.
  expect(own(after) - own(before)).toBeLessThan(rounds * 10);
});
