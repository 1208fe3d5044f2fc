import { frameHeaders } from "#contract/ingestion/frame.ts";
import { ingestionBatches, tracesSpans } from "#contract/topics.ts";
import { spansHeaders, type SpansRecord, spansType, spansVersion } from "#contract/traces.ts";
import type { NewRecord } from "#eventlog/port.ts";
import { messageOf } from "#kit/errors.ts";
import type { Input } from "./input.ts";
import { mutatedText } from "./mutate.ts";
import { otlpRecord } from "./traces.ts";
import { type FuzzWorld, ingestionSeeds } from "./world.ts";
import { digits, pick, type Random, word } from "./words.ts";

const utf8 = new TextEncoder();

/** A record that somebody writes to the log: of batches, of facts, or of OTLP where that is read. */
export function recordInput(world: FuzzWorld, random: Random): Input {
  const { otlpTopic } = world.subject;
  const roll = random();
  if (roll < 0.5) return input(ingestionBatches, batchRecord(world, random));
  if (roll < 0.8 || otlpTopic === null) return input(tracesSpans, factsRecord(random));
  return input("otlp", { key: null, value: otlpRecord(random), headers: {} });
}

function input(topic: string, record: NewRecord): Input {
  return {
    entrance: `log, ${topic}`,
    shown: JSON.stringify({ ...record, value: new TextDecoder().decode(record.value) }),
    async send({ subject }) {
      const { events } = await subject.openContext();
      try {
        await events.publish(topic, [record], { timeoutMs: 20_000 });
        return null;
      } catch (error) {
        // What the log itself refuses has harmed nobody.
        return /timed? ?out|not reached/i.test(messageOf(error)) ? messageOf(error) : null;
      }
    },
  };
}

const receivedAt = Date.UTC(2026, 0, 1);

function batchRecord(world: FuzzWorld, random: Random): NewRecord {
  const body = pick(random, ingestionSeeds(world.offer).postDataEntityList!);
  const headers = frameHeaders({ batch: `fuzz-${random()}`, part: 0, parts: 1, receivedAt });
  const value = utf8.encode(random() < 0.3 ? JSON.stringify(body) : mutatedText(body, random));
  return { key: "//fuzz/source", value, headers: oddHeaders(headers, random) };
}

/** None of them, or one that is not as it should be. */
function oddHeaders(headers: Record<string, string>, random: Random): Record<string, string> {
  if (random() < 0.2) return {};
  if (random() < 0.4) return headers;
  const name = pick(random, Object.keys(headers));
  const odd = random() < 0.5 ? digits(random) : word(random);
  return { ...headers, [name]: odd.toWellFormed() };
}

function factsRecord(random: Random): NewRecord {
  const system = pick(random, ["postgresql", "kafka", word(random)]);
  const record: SpansRecord = {
    strings: [system, "db.example:5432", "shop", "public.orders", "GET /a", "callee"],
    services: [["fuzz", "caller", "1"], [null, "callee", null]],
    traces: ["5b8efff798038103d269b633813fc60c"],
    targets: [[0, 0, 1, 2, 3, 0], [1, 0, 1, -1, 3, 1]],
    trace: [0, 0],
    span: ["00f067aa0ba902b7", "b7ad6b7169203331"],
    parent: ["", "00f067aa0ba902b7"],
    kind: [0, 1],
    service: [0, 1],
    micros: [10, 5],
    operation: [4, 4],
    peer: [5, -1],
    data: [[0, 0, 1]],
    links: [[1, "5b8efff798038103d269b633813fc60c", "00f067aa0ba902b7"]],
  };
  const headers = { [spansHeaders.type]: spansType, [spansHeaders.version]: spansVersion };
  const text = random() < 0.3 ? JSON.stringify(record) : mutatedText(record, random);
  return {
    key: null,
    value: utf8.encode(text),
    headers: random() < 0.1 ? oddHeaders(headers, random) : headers,
    partition: 0,
  };
}
