import { gzipSync } from "node:zlib";
import { acceptEvent, isRefused } from "#contract/openlineage/accept.ts";
import { recordOf } from "#contract/openlineage/testing/record.ts";
import * as samples from "#contract/openlineage/testing/samples.ts";
import { openlineageEvents } from "#contract/topics.ts";
import type { NewRecord } from "#eventlog/port.ts";
import { faultOf, send } from "../send.ts";
import type { Input } from "./input.ts";
import { mutatedText } from "./mutate.ts";
import type { FuzzWorld } from "./world.ts";
import { digits, pick, type Random, word } from "./words.ts";

const named = { namespace: "fuzz", name: "data" };
const runOf = (members: object) => ({ ...samples.smallRunEvent("COMPLETE"), ...members });

/** Sound events, small ones with one facet each, since a few changes of a large one leave most of it as it was. */
export const soundEvents: object[] = [
  samples.wholeRunEvent(),
  samples.jobEvent(),
  samples.datasetEvent(),
  samples.smallRunEvent(),
  ...Object.entries(samples.runFacetSamples).map(([name, facet]) =>
    runOf({ run: { runId: "fuzz", facets: { [name]: facet } } })
  ),
  ...Object.entries(samples.jobFacetSamples).map(([name, facet]) =>
    runOf({ job: { ...named, facets: { [name]: facet } } })
  ),
  ...Object.entries(samples.datasetFacetSamples).map(([name, facet]) =>
    runOf({ outputs: [{ ...named, facets: { [name]: facet } }] })
  ),
];

const routes = ["postOpenLineageEvent", "postOpenLineageBatch"];

/** An OpenLineage event that was sound once: posted, in a batch of some, or written to the log. */
export function lineageInput(world: FuzzWorld, random: Random): Input {
  if (random() < 0.15) return recordInput(random);
  const { path, statuses } = world.offer.operation(pick(random, routes));
  const text = bodyOf(random);
  const gzip = random() < 0.1;
  const body = gzip ? new Uint8Array(gzipSync(text)) : text;
  const headers: Record<string, string> = gzip ? { "content-encoding": "gzip" } : {};
  const type = random() < 0.1 ? "application/x-ndjson" : "application/json";
  return {
    entrance: `POST ${path}`,
    shown: text,
    send: async ({ subject }) =>
      faultOf(await send(subject.url + path, { body, headers, type }), statuses),
  };
}

function bodyOf(random: Random): string {
  const event = () => mutatedText(pick(random, soundEvents), random);
  const roll = random();
  if (roll < 0.6) return event();
  const events = Array.from({ length: 1 + Math.floor(random() * 5) }, event);
  return roll < 0.8 ? `[${events.join()}]` : events.join("\n");
}

function recordInput(random: Random): Input {
  const record = recordOfLog(random);
  return {
    entrance: `log, ${openlineageEvents}`,
    shown: new TextDecoder().decode(record.value),
    async send({ subject }) {
      const { events } = await subject.openContext();
      await events.publish(openlineageEvents, [record], { timeoutMs: 20_000 });
      return null;
    },
  };
}

/** One of an event that is accepted, with a header that may be odd, or of one that may be none. */
function recordOfLog(random: Random): NewRecord {
  const result = acceptEvent(pick(random, soundEvents));
  if (isRefused(result)) throw new Error("a sound event is not accepted");
  const sound = recordOf(result.event, { origin: "http", receivedAt: Date.UTC(2026, 0, 1) });
  const odd = (random() < 0.5 ? digits(random) : word(random)).toWellFormed().replaceAll("\0", "");
  const name = pick(random, Object.keys(sound.headers));
  const text = mutatedText(pick(random, soundEvents), random).toWellFormed();
  return {
    ...sound,
    value: random() < 0.3 ? sound.value : new TextEncoder().encode(text),
    headers: random() < 0.7 ? sound.headers : { ...sound.headers, [name]: odd },
  };
}
