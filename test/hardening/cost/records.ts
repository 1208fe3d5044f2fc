import { maxSpansRecordBytes, tracesSpans } from "#contract/topics.ts";
import { kindHeaders } from "#contract/ingestion/frame.ts";
import { ingestionBatches } from "#contract/topics.ts";
import { spansHeaders, SpansRecord, spansType, spansVersion } from "#contract/traces.ts";
import type { Subject } from "../subject.ts";
import { type CostCase, listed, mebibyte, nested } from "./case.ts";

const encoder = new TextEncoder();

/** Records that were written to the log by somebody who does not ask an API first. */
export function recordCases(): CostCase[] {
  return [
    ...Object.entries(batches()).map(([what, value]) =>
      record(`ingestion.batches: ${what}`, ingestionBatches, value, kindHeaders)
    ),
    ...Object.entries(facts()).map(([what, value], n) => ({
      ...record(`traces.spans: ${what}`, tracesSpans, value, {
        [spansHeaders.type]: spansType,
        [spansHeaders.version]: spansVersion,
      }),
      alike: n > 3 && what.startsWith("empty objects"),
    })),
  ];
}

function record(
  name: string,
  topic: string,
  value: () => string,
  headers: Record<string, string>,
): CostCase {
  return {
    name,
    async send(subject: Subject) {
      const { events } = await subject.openContext();
      const given = { key: "//hardening/shop", value: encoder.encode(value()), headers };
      await events.publish(topic, [given], { timeoutMs: 30_000 });
      return null;
    },
  };
}

function batches(): Record<string, () => string> {
  const size = 20 * mebibyte;
  const body = (items: string) => `{"data_source_catrn":"//hardening/shop","items":[${items}]}`;
  const repeated = (unit: string) =>
    unit.repeat(Math.floor((size - 100) / unit.length)).replace(/,$/, "");
  const wide = (n: number) => `{"catrn":"//w/${n}","name":"${n}","type":{}}`;
  return {
    "empty items": () => body(repeated("{},")),
    "numbers in place of items": () => body(repeated("0,")),
    "nested to the limit of size": () => nested(size / 2),
    "deep items": () => body(repeated(`${nested(90)},`)),
    "unknown keys to be translated": () => body(`{"x":[${repeated(`{"oddrn":null},`)}]}`),
    "fields that are wrong": () =>
      body(
        `{"catrn":"//hardening/worst","name":"w","type":"TABLE","dataset":{"field_list":[${
          listed(wide, size - 300)
        }]}}`,
      ),
    "edges to a million strangers": () =>
      body(
        `{"catrn":"//hardening/worst","name":"w","type":"JOB","data_transformer":{"outputs":[],"inputs":[${
          listed((n) => `"//w/${n}"`, size - 300)
        }]}}`,
      ),
  };
}

function facts(): Record<string, () => string> {
  const size = maxSpansRecordBytes - 65_536;
  const columns = Object.keys(SpansRecord.shape);
  const empty = Object.fromEntries(columns.map((name) => [name, []]));
  const filled = (name: string, units: string) =>
    JSON.stringify(empty).replace(`"${name}":[]`, `"${name}":[${units}]`);
  const zeros = "{},".repeat(Math.floor(size / 3)).slice(0, -1);
  return {
    ...Object.fromEntries(
      columns.map((name) => [`empty objects in ${name}`, () => filled(name, zeros)]),
    ),
    "texts that nothing uses": () => filled("strings", listed((n) => `"s${n}"`, size)),
    "nested to the limit of size": () => nested(size / 2),
  };
}
