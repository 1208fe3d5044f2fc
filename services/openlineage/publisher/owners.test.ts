import { afterAll, beforeAll, expect, it } from "vitest";
import { maxOwners } from "#contract/ingestion/limits.ts";
import { maxName } from "#contract/text.ts";
import { ownersShown } from "#test/support/seed/owners.ts";
import { seedOwnership } from "#test/support/seed/seed.ts";
import { jobOf, ns, pg, run, tableOf } from "../testing/catalogue.ts";
import { type Harness, harness } from "../testing/harness.ts";

let h: Harness;
beforeAll(async () => void (h = await harness()));
afterAll(() => h.drop());

const owned = (...owners: unknown[]) => ({ ownership: { owners } });
const ownersOf = async (catrn: string) => (await ownersShown(h.db, catrn)).toSorted();
/** Takes an event that is later than those before. */
const take = async (event: Record<string, unknown>) => {
  h.clock.at += 1_000;
  return await h.take(event);
};

it("the facet `ownership` of jobs and datasets becomes owners of the entity", async () => {
  const namespace = ns();
  const eventWith = (...owners: unknown[]) =>
    run(namespace, "COMPLETE", {
      job: owned(...owners),
      outputs: [{
        namespace: pg(namespace),
        name: "shop.public.orders",
        facets: owned({ name: "team:orders", type: "MAINTAINER" }),
      }],
    });
  const posted = await take(
    eventWith({ name: "Zoe" }, { name: "Ann", type: "Cook" }, { name: "Ann", type: "Chef" }),
  );
  expect(posted.get(jobOf(namespace))!.owners).toEqual([{ name: "Ann", title: "Cook" }, {
    name: "Zoe",
  }]);
  expect(posted.get(jobOf(namespace))!.metadata![0]!.metadata).not.toHaveProperty("owners");
  expect(await ownersOf(jobOf(namespace))).toEqual(["Ann (Cook)*", "Zoe*"]);
  expect(await ownersOf(tableOf(namespace, "orders"))).toEqual(["team:orders (MAINTAINER)*"]);
  await take(eventWith({ name: "Bob" }));
  expect(await ownersOf(jobOf(namespace))).toEqual(["Bob*"]);
});

it("an event without it says nothing of owners; an empty or a deleted facet takes them away", async () => {
  const namespace = ns();
  const at = jobOf(namespace);
  await take(run(namespace, "COMPLETE"));
  await seedOwnership(h.db, await idOf(at), "Pia", "Boss");
  for (const end of [owned(), { ownership: { _deleted: true } }]) {
    await take(run(namespace, "COMPLETE", { job: owned({ name: "Ann" }) }));
    await take(run(namespace, "COMPLETE", { job: { documentation: { description: "new" } } }));
    expect(await ownersOf(at)).toEqual(["Ann*", "Pia (Boss)"]);
    const posted = await take(run(namespace, "COMPLETE", { job: end }));
    expect([posted.get(at)!.owners, await ownersOf(at)]).toEqual([[], ["Pia (Boss)"]]);
  }
  const never = await take(run(ns(), "COMPLETE"));
  for (const item of never.values()) expect(item).not.toHaveProperty("owners");
});

async function idOf(catrn: string): Promise<number> {
  return (await h.rows<{ id: number }>("SELECT id FROM data_entity WHERE catrn = $1", catrn))[0]!
    .id;
}

it("whatever the order of events, the newest facet counts", async () => {
  const events = (namespace: string) =>
    [["Old", "2026-01-01T00:00:00Z"], ["New", "2026-01-02T00:00:00Z"]].map(([name, eventTime]) => ({
      ...run(namespace, "COMPLETE", { job: owned({ name }) }),
      eventTime,
    }));
  const [one, other] = [ns(), ns()];
  for (const event of events(one)) await h.take(event);
  for (const event of events(other).toReversed()) await h.take(event);
  expect([await ownersOf(jobOf(one)), await ownersOf(jobOf(other))]).toEqual([["New*"], ["New*"]]);
});

it("long names are cut, those without a name left out, and so are owners beyond 100", async () => {
  const [namespace, crowded] = [ns(), ns()];
  const long = "x".repeat(maxName - 1);
  await take(run(namespace, "COMPLETE", {
    job: owned({ name: " " }, { type: "Cook" }, { name: `${long} yz`, type: `${long}😀` }, {
      name: "Ann",
      type: " ",
    }),
  }));
  expect(await ownersOf(jobOf(namespace))).toEqual(["Ann*", `${long} (${long}\ufffd)*`]);
  const crowd = Array.from({ length: maxOwners + 5 }, (_, n) => ({ name: `o${1_000 + n}` }));
  await take(run(crowded, "COMPLETE", { job: owned(...crowd.toReversed()) }));
  const retained = crowd.slice(0, maxOwners).map(({ name }) => `${name}*`);
  expect(await ownersOf(jobOf(crowded))).toEqual(retained);
});
