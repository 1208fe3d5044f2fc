import { expect, it } from "vitest";
import type { ResourceSpans, SpanModel } from "../otlp/decoding.ts";
import { chunksOf } from "./intake.ts";

const spans = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `${from + n}` }) as SpanModel);

it("chunksOf: every span once, in order, with its resource", () => {
  const all: ResourceSpans[] = [
    { resource: { of: "a" }, spans: spans(0, 7) },
    { resource: { of: "b" }, spans: [] },
    { resource: { of: "c" }, spans: spans(7, 2) },
  ];
  const chunks = [...chunksOf(all, 3)];
  const named = chunks.map((chunk) => chunk.flatMap((one) => one.spans.map((s) => s.name)));
  expect(named).toEqual([["0", "1", "2"], ["3", "4", "5"], ["6", "7", "8"]]);
  expect(chunks[2]!.map(({ resource }) => resource.of)).toEqual(["a", "c"]);
  expect([...chunksOf([], 3)]).toEqual([]);
});
