import type { Queryable } from "#metadata/postgres/database.ts";
import { demandTraces } from "#platform/telemetry/traces.ts";
import { item, run, type Source, transformer } from "#platform/demonstration/catalogue/items.ts";
import type { DemoClient } from "./client.ts";
import { askQuestions } from "./questions.ts";
import { known, reaches } from "./services.ts";

/** CATRN of a service of Tributary itself. */
export const ownService = (name: string): string =>
  `//microservice/namespaces/tributary/services/${name}`;

/** The services that always run; the notifier runs only where notifications are enabled. */
const services = ["api", "ingest-consumer", "trace-gateway"];

const seconds = 600;

export interface SelfTrace {
  client: DemoClient;
  print: (line: string) => void;
}

/**
 * Makes a running Tributary trace itself, gives each of its services work, waits until they appear in its own
 * catalogue, and asks what is downstream of its API; false when they did not appear. `db` is the metadata
 * store of that instance.
 */
export async function selfTrace(
  db: Queryable,
  { client, print }: SelfTrace,
): Promise<boolean> {
  await demandTraces(db, { seconds });
  print(`Tributary sends its traces to its own receiver for ${seconds / 60} minutes.`);
  const root = ownService("api");
  // What is posted before a process has begun to export is in no trace.
  const isTraced = await known(client, [root]);
  const work = nightlyJob(Date.now());
  await client.registerSources([work]);
  await client.post(work);
  const isThere = isTraced && await known(client, services.map(ownService)) &&
    await reaches(client, root, ownService("ingest-consumer"));
  if (!isThere) {
    print(
      "Its services did not come into the catalogue; npm run traces -- status and its log show why.",
    );
    return false;
  }
  const text = "What is downstream of Tributary's own API?";
  const question = { text, root, direction: "downstream", depth: 6, open: true } as const;
  await askQuestions(client, [question], print);
  return true;
}

/** A job that failed and then succeeded: a batch for ingestion, an alert and its end for the notifier. */
function nightlyJob(now: number): Source {
  const root = "//tributary/self";
  const job = `${root}/jobs/nightly`;
  const runOf = (status: string, hoursAgo: number) =>
    item(`${job}/runs/${now}-${status}`, `nightly ${status}`, "JOB_RUN", {}, {
      data_transformer_run: { transformer_catrn: job, ...run(now, hoursAgo, status) },
    });
  return {
    catrn: root,
    name: "Tributary itself",
    description: "What Tributary does to be seen in its own lineage",
    items: [
      item(job, "nightly", "JOB", {}, transformer([], [])),
      runOf("FAILED", 2),
      runOf("SUCCESS", 1),
    ],
  };
}
