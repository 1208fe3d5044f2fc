import { afterEach, beforeEach, expect, it } from "vitest";
import { httpTarget, postJson } from "#services/notifier/channels/channel.ts";
import { answers, type HttpSink, startHttpSink } from "#test/support/http/http-sink.ts";

let sink: HttpSink;
beforeEach(async () => void (sink = await startHttpSink()));
afterEach(() => sink.close());

const post = () => {
  const target = httpTarget(sink.url, 5_000);
  return postJson(target, '{"text":"é"}', {}, new AbortController().signal);
};

it("postJson sends once when the connection breaks, also on one that was used before", async () => {
  expect(await post()).toMatchObject({ kind: "delivered" });
  sink.answer = answers.reset;
  expect(await post()).toMatchObject({ kind: "retry", cause: "the connection broke" });
  expect(sink.requests).toHaveLength(2);
  expect(await post()).toMatchObject({ kind: "retry", cause: "the connection broke" });
  expect(sink.requests).toHaveLength(3);
});

it("postJson says what it sends and how long it is", async () => {
  await post();
  const { headers, body } = sink.requests[0]!;
  expect(JSON.parse(body)).toEqual({ text: "é" });
  expect(headers).toMatchObject({ "content-type": "application/json", "content-length": "13" });
  expect(headers).not.toHaveProperty("transfer-encoding");
});
