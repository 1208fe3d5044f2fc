import { ask } from "#test/faults/client.ts";
import { eventually } from "#test/support/eventually.ts";
import { otlpJson } from "#test/support/traces/otlp.ts";
import { send } from "../send.ts";
import { nothingLeft, type Subject } from "../subject.ts";

interface Health {
  ready: boolean;
  degraded: boolean;
  workers: Record<string, { ready: boolean; state: string }>;
}

/**
 * Waits until the service is as if nothing had happened: every worker ready, no lag, the known lineage
 * right, and new batches and spans taken and applied. Rejects with what is not so.
 */
export async function asBefore(subject: Subject, within = 90_000): Promise<void> {
  await eventually(async () => {
    const health = (await ask(subject.url, "GET", "/health/ready", undefined, 5_000))
      .json as Health;
    const ill = Object.entries(health.workers).filter(([, worker]) => !worker.ready);
    if (!health.ready || ill.length > 0) throw new Error(`not ready: ${JSON.stringify(ill)}`);
  }, { within });
  await nothingLeft(subject, within);
  const name = `job${crypto.randomUUID().slice(0, 8)}`;
  const posted = await subject.shop.post(name, "a", "b");
  if (posted.headers.get("x-ingestion-state") !== "applied") {
    throw new Error(`a batch is not applied: ${posted.status} ${JSON.stringify(posted.json)}`);
  }
  await eventually(async () => {
    const fed = await subject.shop.fed("a");
    const missing = ["a", "b", "job", name].filter((known) => !fed.includes(known));
    if (missing.length > 0) throw new Error(`lineage lacks ${missing}`);
    const others = fed.filter((found) => !/^(a|b|job\w*)$/.test(found));
    if (others.length > 0) throw new Error(`lineage has ${others}`);
  });
  await expectService(subject, name, within);
}

/** Ordinary use for so many milliseconds: a batch and a read every second. Rejects when one fails. */
export async function traffic(subject: Subject, ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const posted = await subject.shop.post("job", "a", "b");
    if (posted.status !== 200) throw new Error(`a batch is not taken: ${posted.status}`);
    await subject.shop.fed("a");
    await new Promise((later) => setTimeout(later, 1_000));
  }
}

/** A service that is traced now stands in the catalogue soon. */
async function expectService(subject: Subject, name: string, within: number): Promise<void> {
  const attributes = { "http.request.method": "GET", "http.route": "/known" };
  const body = otlpJson([{
    resource: { "service.name": name, "service.namespace": "known" },
    spans: [{ kind: 2, name: "GET /known", attributes }],
  }, {
    resource: { "service.name": `${name}-reader`, "service.namespace": "known" },
    spans: [{
      kind: 3,
      attributes: {
        "db.system.name": "postgresql",
        "db.namespace": "known",
        "db.query.text": "SELECT * FROM known",
        "server.address": "db.example",
      },
    }],
  }]);
  const response = await send(`${subject.otlp}/v1/traces`, { body });
  if (response.status !== 200) {
    throw new Error(`a trace is not taken: ${response.status} ${response.text}`);
  }
  const catrn = `//microservice/namespaces/known/services/${name}-reader`;
  const query = new URLSearchParams({ page: "1", size: "1", catrn });
  await eventually(async () => {
    const { json } = await ask(subject.url, "GET", `/api/dataentities?${query}`);
    if (!json?.items?.[0]) throw new Error(`${catrn} is not there`);
  }, { within });
}
