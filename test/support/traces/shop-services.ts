import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";

const names = [
  "storefront",
  "recommender",
  "orders",
  "payments",
  "shipping",
  "notifications",
] as const;

/** Six traced services, each a process of its own. */
export interface ShopServices {
  /** One visit of a customer: every service does something. */
  buy(): Promise<void>;
  /** Ends them all; their last spans are exported. */
  stop(): Promise<void>;
}

/** Starts the services of the shop; `env` tells each of them where its traces go. */
export async function startShop(
  env: (name: string) => Record<string, string>,
): Promise<ShopServices> {
  const services = await Promise.all(names.map((name) => startOne(name, env(name))));
  const peers = JSON.stringify(Object.fromEntries(services.map(({ name, port }) => [name, port])));
  await Promise.all(services.map(async ({ child, lines }) => {
    child.stdin.write(`${peers}\n`);
    await lines.next();
  }));
  return {
    async buy() {
      const response = await fetch(`http://127.0.0.1:${services[0]!.port}/buy`);
      const answer = await response.text();
      if (!response.ok) throw new Error(answer);
    },
    async stop() {
      await Promise.all(services.map(({ child }) =>
        new Promise((gone) => {
          child.once("exit", gone);
          child.stdin.end();
        })
      ));
    },
  };
}

async function startOne(name: string, env: Record<string, string>) {
  const child: ChildProcessWithoutNullStreams = spawn("node", [
    "test/support/traces/shop-service.mjs",
  ], {
    env: {
      ...process.env,
      OTEL_SERVICE_NAME: name,
      OTEL_RESOURCE_ATTRIBUTES: "service.namespace=shop,service.version=1.2.0",
      OTEL_METRICS_EXPORTER: "none",
      OTEL_LOGS_EXPORTER: "none",
      OTEL_BSP_SCHEDULE_DELAY: "100",
      ...env,
    },
  });
  let errors = "";
  child.stderr.on("data", (text) => void (errors += text));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value } = await lines.next();
  const port = /^port (\d+)$/.exec(value ?? "")?.[1];
  if (!port) throw new Error(`${name} did not start: ${value ?? ""}${errors}`);
  return { name, child, lines, port: Number(port) };
}
