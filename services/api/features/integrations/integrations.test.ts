import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { apiService } from "#services/api/service.ts";
import {
  Integration,
  IntegrationPreviewList,
} from "#services/api/features/integrations/schemas.ts";
import { answers, snippetsOf } from "#services/api/features/integrations/testing/fill.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { openLineageService } from "#services/openlineage/service.ts";
import { traceGatewayService } from "#services/trace-gateway/service.ts";
import { outputOf } from "#test/support/documents.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";
import { receiverUrl } from "#test/support/traces/gateway.ts";

const services = [apiService, ingestConsumerService, traceGatewayService, openLineageService];
const traces = { http: { port: 0 }, grpc: { port: 0 }, "publish-interval": "200 ms" };

describe.each([false, true])("integrations, tokens asked for: %s", (filter) => {
  let instance: Instance;
  const given: Record<string, string> = {};
  beforeAll(async () => {
    const auth = { ingestion: { filter: { enabled: filter } } };
    instance = await startInstance("embedded", { services, config: { traces, auth } });
    given.otlp_http_url = await receiverUrl(instance, "OTLP/HTTP receiver");
    given.otlp_grpc_url = await receiverUrl(instance, "OTLP/gRPC receiver");
  });
  afterAll(() => instance?.stop());

  const snippets = async (id: string) =>
    snippetsOf(Integration.parse(await instance.json(`/api/integrations/${id}`)), given);
  const installed = async () => {
    const { items } = IntegrationPreviewList.parse(await instance.json("/api/integrations"));
    return items.filter((one) => one.installed).map(({ id }) => id);
  };
  const statusOf = (output: string) => /HTTP\/\S+ (\d+)/.exec(output)?.[1];

  it("are listed; none is in use at first, and none is offered that this server has not", async () => {
    const { items } = IntegrationPreviewList.parse(await instance.json("/api/integrations"));
    expect(items.map(({ id, installed }) => [id, installed])).toEqual([
      ["collectors", false],
      ["dbt", false],
      ["airflow", false],
      ["spark", false],
      ["flink", false],
      ["openlineage", false],
      ["datahub", false],
      ["opentelemetry", false],
      ["alertmanager", false],
      ["http", false],
      ["mcp", false],
    ]);
    for (const id of ["kafka", "nothing", "__proto__"]) {
      expect((await instance.send("GET", `/api/integrations/${id}`)).status).toBe(404);
    }
  });

  it("a collector is registered, and its configuration is one", async () => {
    const [[register], [config], [composeFile]] = await snippets("collectors") as string[][] & [
      string[],
      string[],
      string[],
    ];
    const answer = await outputOf(register!);
    expect(statusOf(answer)).toBe("200");
    given.collector_token = JSON.parse(answer.slice(answer.indexOf("{"))).token.value;
    given.token = given.otlp_token = given.collector_token!;
    const env = { tag: "!ENV", resolve: (text: string) => text };
    const repeated = (await snippets("collectors"))[1]![0]!;
    expect(repeated).not.toBe(config);
    expect(parse(repeated, { customTags: [env] })).toMatchObject({
      platform_host_url: expect.stringMatching(`^http://localhost:${new URL(instance.url).port}$`),
      token: given.collector_token,
      default_pulling_interval: 10,
      plugins: [{ type: "postgresql", port: 5432, password: "${DATABASE_PASSWORD}" }],
    });
    expect(parse(composeFile!).services.collector.image).toBe(answers.image);
    expect(await installed()).toEqual([]);
  });

  it("a data source is registered and filled by curl", async () => {
    const [[register], [post]] = await snippets("http") as [[string], [string]];
    expect(statusOf(await outputOf(register))).toBe("200");
    expect(await outputOf(post)).toMatch(/x-ingestion-state: applied/i);
    const query = `page=1&size=1&catrn=${encodeURIComponent(answers.entity_catrn!)}`;
    expect(await instance.json(`/api/dataentities?${query}`)).toMatchObject({
      items: [{ external_name: answers.table_name }],
    });
    // A token that is requested is that of a collector, whose data source it then is.
    expect(await installed()).toEqual([filter ? "collectors" : "http"]);
  });

  it("Alertmanager posts where its receiver says, about what its rule says", async () => {
    const [[receiver], [rule], [tried]] = await snippets("alertmanager") as [
      [string],
      [string],
      [string],
    ];
    const [hook] = parse(receiver).receivers[0].webhook_configs;
    expect(parse(receiver).route.receiver).toBe(parse(receiver).receivers[0].name);
    const [{ alert, expr, labels, annotations }] = parse(rule).groups[0].rules;
    expect([alert, expr]).toEqual([answers.alert_name, answers.expression]);
    const credentials = hook.http_config?.authorization.credentials;
    const posted = await fetch(hook.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...credentials && { authorization: `Bearer ${credentials}` },
      },
      body: JSON.stringify({
        version: "4",
        status: "firing",
        receiver: "catalogue",
        alerts: [{
          status: "firing",
          labels: { alertname: alert, ...labels },
          annotations,
          startsAt: "2026-05-01T10:00:00.123Z",
          endsAt: "0001-01-01T00:00:00Z",
          generatorURL: "http://prometheus.example/graph?g0.expr=x",
          fingerprint: "f00d",
        }],
      }),
    });
    expect([posted.status, await posted.text()]).toEqual([200, ""]);
    expect(statusOf(await outputOf(tried))).toBe("200");
    const alerts = await instance.json("/api/alerts/list?status=OPEN") as object[];
    const texts = ["Tried: Sent by hand", `${answers.alert_name}: ${answers.summary}`];
    expect(alerts).toMatchObject(texts.map((text) => ({
      type: "DISTRIBUTION_ANOMALY",
      description: expect.stringContaining(text),
      data_entity: { external_name: answers.table_name },
    })));
    expect(await installed()).toContain("alertmanager");
  });

  it("an event of OpenLineage is taken, and engines are in use once one of their jobs is there", async () => {
    const [[variables], [curl]] = await snippets("openlineage") as [[string], [string]];
    const set = await outputOf(`${variables}\necho "$OPENLINEAGE_URL|$OPENLINEAGE_API_KEY|"`);
    const url = `http://localhost:${new URL(instance.url).port}`;
    expect(set.trim()).toBe(`${url}|${filter ? given.collector_token : ""}|`);
    expect(statusOf(await outputOf(curl))).toBe("200");
    const spark = JSON.stringify({
      eventType: "COMPLETE",
      eventTime: "2026-03-01T10:00:00Z",
      run: { runId: "r1" },
      job: {
        namespace: "spark",
        name: "totals",
        facets: { jobType: { integration: "SPARK", processingType: "BATCH" } },
      },
    });
    const sent = await fetch(`${instance.url}/api/v1/lineage`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${given.token}` },
      body: spark,
    });
    expect(sent.status).toBe(200);
    await eventually(async () => {
      expect(await installed()).toEqual(expect.arrayContaining(["openlineage", "spark"]));
    });
    expect(await installed()).not.toContain("flink");
  });

  it("configurations of engines name this server, and the token where one is required", async () => {
    const [[airflow]] = await snippets("airflow") as [[string]];
    const transport = await outputOf(
      `${airflow!.replace(/^pip .*/m, "")}\necho "$AIRFLOW__OPENLINEAGE__TRANSPORT"`,
    );
    const apiKey = given.collector_token;
    const url = `http://localhost:${new URL(instance.url).port}`;
    expect(JSON.parse(transport)).toEqual({
      type: "http",
      url,
      endpoint: "api/v1/lineage",
      ...filter && { auth: { type: "api_key", apiKey } },
    });
    const [[flink]] = await snippets("flink") as [[string]];
    expect(parse(flink!)).toMatchObject({
      "openlineage.transport.url": url,
      ...filter && { "openlineage.transport.auth.apiKey": apiKey },
    });
    for (const id of ["dbt", "spark"]) {
      const [[text]] = await snippets(id) as [[string]];
      expect(text).toContain(url);
      expect(text!.includes(apiKey!)).toBe(filter);
    }
  });

  it("an assistant lists its tools by curl", async () => {
    const [curl] = (await snippets("mcp")).at(-1)!;
    const answer = await outputOf(curl!);
    expect(statusOf(answer)).toBe("200");
    expect(answer).toContain('"name":"search_catalog"');
  });

  it("services export where the variables say", async () => {
    const [[http, grpc], [collector]] = await snippets("opentelemetry") as [
      [string, string],
      [string],
    ];
    const endpoint = async (script: string) =>
      (await outputOf(`${script}\necho "$OTEL_SERVICE_NAME"
        echo "$OTEL_EXPORTER_OTLP_TRACES_ENDPOINT\n$OTEL_EXPORTER_OTLP_TRACES_HEADERS"`)).split(
        "\n",
      );
    expect((await endpoint(grpc)).slice(0, 2)).toEqual(["storefront", given.otlp_grpc_url]);
    const [, url, headers = ""] = await endpoint(http);
    const exporter = parse(collector).exporters["otlphttp/catalogue"];
    expect(url).toBe(`${exporter.endpoint}/v1/traces`);
    const [name, authorization = ""] = headers.split("=").map(decodeURIComponent);
    expect(authorization).toBe(exporter.headers?.[name!] ?? "");
    const sent = await fetch(url!, {
      method: "POST",
      headers: { "content-type": "application/json", authorization },
      body: readFileSync("docs/examples/shop-trace.json"),
    });
    expect(sent.status).toBe(200);
    await eventually(async () => expect(await installed()).toContain("opentelemetry"));
  });
});
