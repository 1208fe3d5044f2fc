import { Buffer } from "node:buffer";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTraces } from "#platform/telemetry/traces.ts";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { notifierService } from "#services/notifier/service.ts";
import { openLineageService } from "#services/openlineage/service.ts";
import { eventually } from "#test/support/eventually.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";

const source = "//traced/source";
const table = (name: string) => `${source}/${name}`;

const batch = {
  data_source_catrn: source,
  items: [{
    catrn: table("view"),
    name: "view",
    type: "VIEW",
    data_transformer: { inputs: [table("a")], outputs: [table("b")] },
  }],
};

const failing = {
  data_source_catrn: source,
  items: [{
    catrn: table("job"),
    name: "job",
    type: "JOB",
    data_transformer: { inputs: [table("a")], outputs: [table("c")] },
  }, {
    catrn: table("job/runs/1"),
    name: "job, once",
    type: "JOB_RUN",
    data_transformer_run: {
      transformer_catrn: table("job"),
      start_time: "2026-01-01T00:00:00Z",
      end_time: "2026-01-01T00:01:00Z",
      status: "FAILED",
    },
  }],
};

/** What an exporter sends to an OTLP collector, as it stands on the wire. */
class Collector {
  url = "";
  readonly #bodies: Buffer[] = [];
  readonly #server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      this.#bodies.push(Buffer.concat(chunks));
      response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((up) => this.#server.listen(0, "127.0.0.1", up));
    return this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Whether a span of that trace has that name: in a span message the name follows the ids. */
  holds(traceId: string, name: string): boolean {
    const id = Buffer.from(traceId, "hex");
    return this.#bodies.some((body) => {
      for (let at = body.indexOf(id); at >= 0; at = body.indexOf(id, at + 1)) {
        if (body.subarray(at, at + 100).toString("latin1").includes(name)) return true;
      }
      return false;
    });
  }

  stop = () => void this.#server.close();
}

describe("traces", () => {
  const collector = new Collector();
  let flush: () => Promise<void>;

  // Tracers stay with the first provider they meet, so one serves all instances of this file.
  beforeAll(async () => {
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = await collector.start();
    process.env.OTEL_BSP_SCHEDULE_DELAY = "100";
    flush = await startTraces("tributary-test", process.env);
  });
  afterAll(async () => {
    await flush();
    collector.stop();
  });

  describe.each(engineSets())("%s engines", (set) => {
    const newTrace = () => crypto.randomUUID().replaceAll("-", "");
    let instance: Instance;
    beforeAll(async () => {
      const notifications = {
        enabled: true,
        message: { "downstream-entities-depth": 1 },
        receivers: { webhook: { url: `${collector.url}/webhook` } },
      };
      const services = [apiService, ingestConsumerService, notifierService, openLineageService];
      instance = await startInstance(set, { services, config: { notifications } });
      const items = [{ catrn: source, name: "Traced" }];
      await instance.send("POST", "/ingestion/datasources", { items });
    });
    afterAll(() => instance?.stop());

    async function expectSpans(
      body: unknown,
      spans: string[],
      path = "/ingestion/entities",
    ): Promise<void> {
      const traceId = newTrace();
      const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
      const posted = await instance.send("POST", path, body, { traceparent });
      expect(posted.status).toBe(200);
      for (const span of spans) {
        await eventually(() =>
          expect([span, collector.holds(traceId, span)]).toEqual([span, true])
        );
      }
    }

    it("follow a batch from its request through the event log to the graph write", async () => {
      const graph = set === "distributed" ? ["project batch"] : [];
      await expectSpans(batch, ["POST /ingestion/entities", "ingest part", ...graph]);
    });

    it("follow an OpenLineage event from its request through its state to the batch made of it", async () => {
      const event = {
        eventTime: "2026-03-01T10:00:00Z",
        job: { namespace: "traced", name: "job" },
        outputs: [{ namespace: "traced", name: "table" }],
      };
      const own = ["openlineage.accept", "openlineage.merge", "openlineage.compose"];
      await expectSpans(event, [...own, "ingest part"], "/api/v1/lineage");
    });

    it("follow a failed run from its request to the message that tells of it", async () => {
      await expectSpans(failing, ["POST /ingestion/entities", "ingest part", "send notification"]);
    });
  });
});
