import { expect, it } from "vitest";
import { noMetrics } from "#kit/metrics.ts";
import { Config } from "#platform/config/schema.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { LineageQueue, lineageTime } from "#services/api/features/lineage/limits.ts";

const person = (name: string): Caller => (
  { kind: "user", name, provider: "ldap", credential: "session" }
);

/** A queue over a clock that is moved by hand; `walk` returns the milliseconds for which a walk waited. */
function fixture() {
  let [now, waited] = [0, 0];
  const clock = {
    now: () => now,
    sleep: (ms: number) => Promise.resolve(void ([now, waited] = [now + ms, waited + ms])),
  };
  const queue = new LineageQueue({ clock, config: Config.parse({}), metrics: noMetrics });
  const walk = async (caller: Caller, ms: number) => {
    waited = 0;
    await queue.run(() => Promise.resolve(void (now += ms)), caller);
    return waited;
  };
  return { walk, now: () => now, pass: (ms: number) => void (now += ms) };
}

it("one person who walks without a pause gets a share of the time, others do not wait", async () => {
  const { walk, now } = fixture();
  expect(await walk(person("mallory"), lineageTime.atOnceMs)).toBe(0);
  const begun = now();
  for (let n = 0; n < 100; n++) await walk(person("mallory"), 50);
  expect(100 * 50 / (now() - begun)).toBeLessThan(lineageTime.share * 1.1);
  expect(await walk(person("ada"), 50)).toBe(0);
});

it("the time comes back, and nobody waits long however large the walk before was", async () => {
  const { walk, pass } = fixture();
  await walk(person("ada"), 60_000);
  expect(await walk(person("ada"), 50)).toBeLessThanOrEqual(lineageTime.maxRestMs);
  pass((lineageTime.atOnceMs + lineageTime.maxRestMs) / lineageTime.share);
  expect(await walk(person("ada"), 50)).toBe(0);
});

it.each<[string, Caller]>([
  ["the service key", { ...person("service"), credential: "service-key" }],
  ["callers where nobody signs in", { ...person("x"), name: null, credential: undefined }],
])("%s has no such share", async (_, caller) => {
  const { walk } = fixture();
  for (let n = 0; n < 100; n++) expect(await walk(caller, 500)).toBe(0);
});
