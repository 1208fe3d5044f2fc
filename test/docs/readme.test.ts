import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "#platform/config/load.ts";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { notifierService } from "#services/notifier/service.ts";
import { traceGatewayService } from "#services/trace-gateway/service.ts";
import { eventually } from "#test/support/eventually.ts";
import { receiverUrl } from "#test/support/traces/gateway.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { examplesOf, outputOf } from "#test/support/documents.ts";
import { type Sink, startSink } from "#test/support/alerts/sink.ts";
import { demo } from "../../tools/demo/main.ts";

/** The other pages continue with the data of the first. */
const pages = [
  "README.md",
  "docs/use/search.md",
  "docs/start/first-alert.md",
  "docs/integrate/service-lineage.md",
];
const examples = pages.flatMap((page) => examplesOf(readFileSync(page, "utf8")));
const demonstration = readFileSync("docs/start/demonstration.md", "utf8");

const services = [apiService, ingestConsumerService, notifierService, traceGatewayService];
const traces = { http: { port: 0 }, grpc: { port: 0 }, "publish-interval": "200 ms" };

/** What the README's configuration file says, with the addresses of this sink. */
function notifying(sink: Sink): Record<string, unknown> {
  const { notifications } = loadConfig({ env: {}, file: "docs/examples/notify.yaml" });
  const { chat, webhook, email } = notifications.receivers;
  chat.url = chat.url!.replace("http://127.0.0.1:9099", sink.url);
  webhook.url = webhook.url!.replace("http://127.0.0.1:9099", sink.url);
  email.port = sink.smtpPort;
  return { notifications };
}

describe.each(engineSets())("the README and the pages that continue it, %s engines", (set) => {
  let sink: Sink;
  let instance: Instance;
  beforeAll(async () => {
    sink = await startSink();
    instance = await startInstance(set, { services, config: { ...notifying(sink), traces } });
  });
  afterAll(async () => {
    await instance?.stop();
    await sink?.stop();
  });

  it("mark their commands for this test", () => expect(examples).toHaveLength(6));

  it.each(examples.map((e) => [e.title, e] as const))(
    "show the real output: %s",
    async (_, { command, output }) => {
      const script = command.replaceAll("http://127.0.0.1:8080", instance.url)
        .replaceAll("http://127.0.0.1:9099", sink.url)
        .replaceAll("http://127.0.0.1:4318", await receiverUrl(instance, "OTLP/HTTP receiver"));
      expect(await outputOf(script)).toBe(output);
    },
  );

  it("print the address in a mail", () =>
    eventually(() => expect(sink.said()).toMatch(/^ +http:\S+\/dataentities\/\d+\/alerts$/m)));

  it("show the first answer of the demonstration", async () => {
    const lines: string[] = [];
    await demo(instance.url, (line) => lines.push(line));
    const shown = /```text\n(What breaks.*?)```/s.exec(demonstration)![1]!.trim().split("\n");
    const at = lines.indexOf(shown[0]!);
    expect(lines.slice(at, at + shown.length)).toEqual(shown);
  });
});
