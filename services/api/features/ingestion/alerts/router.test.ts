import { describe, expect, it } from "vitest";
import { seedAlert, seedEntity } from "#test/support/seed/seed.ts";
import { firing, link, routerHarness, send } from "./testing/harness.ts";

const h = routerHarness();

describe("the alert router", () => {
  const text = `Skew: orders has 0 rows\n${link}`;
  const annotations = { summary: "orders has 0 rows" };
  const alert = (name: string, more: object = {}) =>
    firing(`//router/${name}`, { fingerprint: name, annotations, ...more });
  const over = { status: "resolved", endsAt: "2026-05-01T11:30:00Z" };
  const outcome = async (name: string) =>
    (await h().stored(`//router/${name}`)).map(({ status, chunks, events }) => ({
      status,
      chunks,
      events,
    }));
  const resolved = { status: 3, chunks: [text], events: ["CREATED", "RESOLVED_AUTOMATICALLY"] };

  it("makes firing, firing again and resolved one alert that is resolved", async () => {
    await send(h().once, alert("once"));
    await send(h().once, alert("once"));
    expect(await outcome("once")).toEqual([{ status: 1, chunks: [text], events: ["CREATED"] }]);
    await send(h().once, alert("once", over), alert("once-more"));
    await send(h().once, alert("once", over));
    expect(await outcome("once")).toEqual([resolved]);
  });

  it("changes nothing by a late delivery of what is over, also by the hand of a person", async () => {
    await send(h().once, alert("late"), alert("by-hand"));
    await send(h().once, alert("late", over));
    await h().t.db.query("UPDATE alert SET status = 2 WHERE id = $1", [
      (await h().stored("//router/by-hand"))[0]!.id,
    ]);
    await send(h().once, alert("late"), alert("by-hand"));
    expect(await outcome("late")).toEqual([resolved]);
    expect(await outcome("by-hand")).toEqual([{ status: 2, chunks: [text], events: ["CREATED"] }]);
  });

  it("opens another when it fires again, and the late end of the first leaves that open", async () => {
    const repeated = { startsAt: "2026-05-01T11:45:00Z" };
    await send(h().once, alert("again"));
    await send(h().once, alert("again", over));
    await send(h().once, alert("again", repeated));
    await send(h().once, alert("again", over));
    expect((await outcome("again")).map(({ status }) => status)).toEqual([3, 1]);
  });

  it("extends an open alert that fires again, whose end resolves it once", async () => {
    const repeated = { startsAt: "2026-05-01T11:45:00Z" };
    await send(h().once, alert("anew"));
    await send(h().once, alert("anew", repeated));
    await send(h().once, alert("anew", over));
    await send(h().once, alert("anew"));
    const [one, ...others] = await outcome("anew");
    expect([one!.status, one!.chunks.length, one!.events, others])
      .toEqual([1, 2, ["CREATED", "UPDATED"], []]);
    await send(h().once, alert("anew", { ...over, ...repeated, endsAt: undefined }));
    expect((await outcome("anew")).map(({ status }) => status)).toEqual([3]);
  });

  it("makes what ends before it fires one alert that is resolved", async () => {
    await send(h().once, alert("crossed", over));
    expect(await outcome("crossed")).toEqual([]);
    await send(h().once, alert("crossed"));
    await send(h().once, alert("crossed"));
    expect(await outcome("crossed")).toEqual([resolved]);
  });

  it("adds what a repetition says again, once", async () => {
    const other = { annotations: { summary: "orders has 1 row" } };
    await send(h().once, alert("text"));
    await send(h().once, alert("text", other), alert("text"));
    await send(h().once, alert("text", other));
    expect(await outcome("text")).toEqual([
      {
        status: 1,
        chunks: [text, `Skew: orders has 1 row\n${link}`],
        events: ["CREATED", "UPDATED"],
      },
    ]);
  });

  it("knows an alert without fingerprint by its labels", async () => {
    const plainly = { fingerprint: undefined };
    await send(h().once, alert("labels", plainly), alert("labels", { labels: { x: "1" } }));
    await send(h().once, alert("labels", plainly), alert("labels", { ...plainly, ...over }));
    expect(await outcome("labels")).toEqual([resolved]);
  });

  it("resolves all that a release opened which took each delivery for an alert", async () => {
    await send(h().each, alert("before"), alert("before"));
    await send(h().once, alert("before", over));
    await send(h().once, alert("before"));
    expect((await outcome("before")).map(({ status }) => status)).toEqual([3, 3]);
  });

  it("makes one alert of the bodies of a storm, whatever they share and in which order", async () => {
    const names = Array.from({ length: 6 }, (_, i) => `storm-${i}`);
    const bodies = names.map((_, i) => [...names.slice(i), ...names.slice(0, i)]);
    await Promise.all(
      bodies.map((body) => send(h().once, ...body.map((name) => alert(name)))),
    );
    await Promise.all(
      bodies.map((body) => send(h().once, ...body.map((name) => alert(name, over)))),
    );
    for (const name of names) expect(await outcome(name)).toEqual([resolved]);
  });

  it.each([["halted", true], ["deleted", false]])(
    "raises and extends nothing on an entity that is %s, and resolves all the same",
    async (name, halts) => {
      const entity = await seedEntity(h().t.db, { catrn: `//router/${name}` });
      await send(h().once, alert(name, { fingerprint: `${name}-0` }));
      await h().t.db.query(
        halts
          ? `INSERT INTO alert_halt_config (entity_id, distribution_anomaly_halt_until)
             VALUES ($1, '2026-05-01T12:00:01Z')`
          : "UPDATE data_entity SET status = 5 WHERE id = $1",
        [entity],
      );
      const other = { fingerprint: `${name}-0`, annotations: { summary: "other" } };
      await send(h().once, alert(name), alert(name, other));
      await send(h().each, alert(name));
      expect(await outcome(name)).toEqual([{ status: 1, chunks: [text], events: ["CREATED"] }]);
      await send(h().once, alert(name, { ...over, fingerprint: `${name}-0` }));
      expect(await outcome(name)).toEqual([resolved]);
      if (!halts) return;
      await h().t.db.query("UPDATE alert_halt_config SET distribution_anomaly_halt_until = $1", [
        "2026-05-01T12:00:00Z",
      ]);
      await send(h().once, alert(name));
      expect((await outcome(name)).map(({ status }) => status)).toEqual([3, 1]);
    },
  );

  it("leaves alerts alone that did not come from the router", async () => {
    const entity = await seedEntity(h().t.db, { catrn: "//router/other" });
    await seedAlert(h().t.db, entity, { type: 4 });
    await send(h().once, firing("//router/other"));
    await send(h().once, firing("//router/other", over));
    expect((await h().stored("//router/other")).map(({ status }) => status)).toEqual([1, 3]);
  });
});
