import { afterAll, beforeAll, expect, it } from "vitest";
import { honestKinds, honestUse, startHostile } from "./hostile.ts";
import { sized } from "#test/support/size.ts";
import { startSubject, type Subject } from "./subject.ts";

const forMs = sized(4_000, 8_000);

let subject: Subject;
beforeAll(async () => void (subject = await startSubject("embedded")));
afterAll(() => subject?.stop());

it("one hostile client beside four honest ones: each of theirs is answered", async () => {
  const hostile = startHostile(subject);
  const seen = await honestUse(subject, forMs);
  const harm = await hostile.stop();
  expect(seen.failures).toEqual([]);
  expect(subject.service.ends()).toBe(0);
  for (const kind of honestKinds) expect(seen.times[kind].length, kind).toBeGreaterThan(0);
  expect(harm.idle).toBeGreaterThan(0);
  expect(harm.resets).toBeGreaterThan(0);
  expect(Object.keys(harm.bodies).filter((status) => !/^[245]\d\d$/.test(status))).toEqual([]);
});
