import { afterAll, beforeAll, expect, it } from "vitest";
import { type Harness, harness } from "../testing/harness.ts";
import { aspect, table } from "../testing/proposals.ts";
import { followChanges, followerLimits } from "./followers.ts";

let h: Harness;
beforeAll(async () => void (h = await harness()));
afterAll(() => h.drop());

const domain = "urn:li:domain:sales";
const waiting = async () =>
  (await h.rows<{ count: number }>("SELECT count(*)::int AS count FROM dh_entity WHERE dirty > 0"))[
    0
  ]!
    .count;

it("a change that shows on very many entities has them mapped again some at a time, each once", async () => {
  const many = followerLimits.followers + 200;
  const members = Array.from(
    { length: many },
    (_, n) => aspect(table(`a.public.t${n}`), "domains", { domains: [domain] }),
  );
  await h.store(...members);
  await h.rows("UPDATE dh_entity SET dirty = 0");
  h.clock.at += 1_000;
  await h.store(aspect(domain, "domainProperties", { name: "Sales" }));
  expect(await waiting()).toBe(1);
  expect(await followChanges(h.deps)).toBe(followerLimits.followers);
  expect(await waiting()).toBe(followerLimits.followers + 1);
  expect(await followChanges(h.deps)).toBe(200);
  expect(await waiting()).toBe(many + 1);
  expect(await followChanges(h.deps)).toBe(0);
  expect(await h.rows("SELECT * FROM dh_follower")).toEqual([]);
});

it("a change amid that begins it again", async () => {
  await h.rows("UPDATE dh_entity SET dirty = 0");
  const change = async (name: string) => {
    h.clock.at += 1_000;
    await h.store(aspect(domain, "domainProperties", { name }));
  };
  await change("Selling");
  await followChanges(h.deps);
  await change("Sold");
  expect(await h.rows("SELECT named, after FROM dh_follower")).toEqual([{
    named: domain,
    after: "",
  }]);
});
