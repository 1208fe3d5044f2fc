import { setTimeout as sleep } from "node:timers/promises";
import type { DemoClient } from "./client.ts";
import { type Receiver, sendTraces } from "./traces/send.ts";
import { shopService, shopTraces } from "./traces/shop.ts";

const services = ["storefront", "orders", "payments", "shipping", "notifications", "recommender"];

/** Milliseconds in which the catalogue must show what was sent. */
const maxWaitMs = 30_000;

/** Sends the traces of the shop's services and waits until the catalogue has them; false if it does not. */
export async function traceServices(
  client: DemoClient,
  receiver: Receiver,
  print: (line: string) => void,
): Promise<boolean> {
  const traces = shopTraces(Date.now());
  if (!await sendTraces(receiver, traces)) {
    print(`No trace gateway listens at ${receiver.url}: the shop's services are left out.`);
    return false;
  }
  const spans = traces.resourceSpans.flatMap((r) => r.scopeSpans.flatMap((s) => s.spans)).length;
  print(`${spans} spans of ${services.length} services are sent to ${receiver.url}.`);
  if (await known(client, services.map(shopService))) return true;
  print(
    "Their services are not in the catalogue yet: npm run traces -- status shows their progress.",
  );
  return false;
}

/** Waits until the catalogue has complete entities for all of these, not only placeholders. */
export function known(client: DemoClient, catrns: string[]): Promise<boolean> {
  return patiently(async () => {
    const found = await Promise.all(catrns.map((catrn) => client.find(catrn).catch(() => null)));
    return found.every((entity) => entity?.external_name);
  });
}

/** Waits until one is downstream of the other; the lineage follows the catalogue by a moment. */
export function reaches(client: DemoClient, from: string, to: string): Promise<boolean> {
  return patiently(async () => {
    const [start, end] = [await client.find(from), await client.find(to)];
    const { downstream } = await client.lineage(start.id, "downstream", 6, []);
    return downstream.nodes.some(({ id }) => id === end.id);
  });
}

async function patiently(holds: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + maxWaitMs;
  while (!await holds()) {
    if (Date.now() > deadline) return false;
    await sleep(250);
  }
  return true;
}
