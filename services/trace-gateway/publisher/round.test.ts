import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DataEntityList } from "#contract/ingestion/schema.ts";
import { batchHeaders } from "#contract/ingestion/frame.ts";
import { seedEntity, seedSource } from "#test/support/seed/seed.ts";
import { type PublisherHarness, publisherHarness, type TestEdge } from "./testing/harness.ts";
import { access, call, day, pay, shop, table } from "./testing/shop.ts";

const busTopic = "//kafka/host/bus:9092/clusters/bus:9092/topics/placed";

let at: PublisherHarness;
beforeEach(async () => void (at = await publisherHarness()));
afterEach(() => at.drop());

describe("publishRound", () => {
  it("posts a service whole: what it calls and reads are inputs, what it serves and writes outputs", async () => {
    await at.see(call, access("read", "customers"), access("write", "orders"), {
      peer: "orders",
      operation: "POST /orders",
    });
    await at.see({ ...access("write", ""), kind: "topic", system: "kafka", target: "placed" });
    await at.round();
    const items = await at.posted();
    expect(items.find((item) => item.name === "orders")).toMatchObject({
      catrn: "//microservice/services/orders",
      type: "MICROSERVICE",
      data_transformer: {
        inputs: [pay, table("customers")],
        outputs: [
          "//kafka/host/db.example:5432/clusters/db.example:5432/topics/placed",
          "//microservice/services/orders/calls/POST %2Forders",
          table("orders"),
        ],
      },
    });
    expect(items.find((item) => item.catrn === pay)).toMatchObject({
      name: "POST /pay",
      type: "API_CALL",
      data_input: { outputs: [] },
    });
    expect(items.find((item) => item.name === "payments API")).toMatchObject({
      type: "API_SERVICE",
      data_entity_group: { entities_list: [pay] },
    });
    expect(items.filter((item) => item.type === "API_SERVICE")).toEqual(items.slice(-2));
  });

  it("groups the calls of a host that is never traced under that host", async () => {
    await at.see({ ...call, peer: "api.bank.example:443", peerKind: "host" });
    await at.round();
    const host = "//microservice/hosts/api.bank.example:443";
    expect((await at.posted()).map(({ catrn, type }) => [catrn, type])).toEqual([
      [`${host}/calls/POST %2Fpay`, "API_CALL"],
      ["//microservice/services/orders", "MICROSERVICE"],
      [`${host}/api`, "API_SERVICE"],
    ]);
  });

  it("a topic whose broker a span does not tell is the one that another service tells of", async () => {
    const topic: TestEdge = { kind: "topic", system: "kafka", target: "placed" };
    await at.see({ ...topic, service: "orders", access: "write" });
    await at.round();
    const outputs = async () => (await at.posted())[0]?.data_transformer?.outputs;
    expect(await outputs()).toEqual(["//kafka/host/unknown/clusters/unknown/topics/placed"]);
    await at.see({ ...topic, service: "mail", access: "read", address: "bus:9092" });
    await at.round();
    const items = new Map((await at.posted()).map((item) => [item.name, item.data_transformer]));
    expect(items.get("orders")?.outputs).toEqual([busTopic]);
    expect(items.get("mail")?.inputs).toEqual([busTopic]);
  });

  it("finds a dataset that is catalogued later under another schema", async () => {
    await at.see(access("read", "invoices"));
    await at.round();
    const inputs = async () => (await at.posted())[0]?.data_transformer?.inputs;
    expect(await inputs()).toEqual([table("invoices")]);
    const catrn = table("invoices").replace("/public/", "/sales/");
    await seedEntity(at.db, { catrn });
    await seedSource(at.db, { catrn: shop });
    at.clock.at += 10 * 60 * 1000 - 1;
    expect(await at.round()).toEqual({ worked: false, more: false });
    at.clock.at += 1;
    await at.round();
    expect(await inputs()).toEqual([catrn]);
    at.clock.at += 10 * 60 * 1000;
    expect(await at.round()).toEqual({ worked: false, more: false });
  });

  it("writes batches that the ingestion takes, keyed and framed as those of the API", async () => {
    await at.see(call);
    await at.round();
    const [record] = await at.records();
    expect(record!.key).toBe("//tributary/traces");
    expect(record!.headers).toMatchObject({
      [batchHeaders.type]: "ingestion.batch",
      [batchHeaders.part]: "0",
      [batchHeaders.parts]: "1",
    });
    const body = JSON.parse(new TextDecoder().decode(record!.value));
    expect(DataEntityList.parse(body).items).toHaveLength(4);
  });

  it("posts nothing for steady traffic, and only what differs for a new edge", async () => {
    await at.see(call);
    await at.round();
    await at.posted();
    for (let i = 0; i < 3; i++) {
      await at.see({ ...call, seen: new Date(at.clock.at + i) });
      expect(await at.round()).toEqual({ worked: false, more: false });
    }
    await at.see({ ...call, service: "web" });
    await at.round();
    expect((await at.posted()).map((item) => item.name)).toEqual(["web"]);
  });

  it("posts each live entity again once a day, and the catalogue sees it again", async () => {
    await at.see({ ...call, seen: new Date(at.clock.at + 3 * day) });
    await at.round();
    const first = await at.posted();
    at.clock.at += day - 1;
    await at.round();
    expect(await at.posted()).toEqual([]);
    at.clock.at += 1;
    await at.round();
    expect(await at.posted()).toEqual(first);
  });

  it("posts more than a thousand items as several batches, groups last", async () => {
    const operations = Array.from({ length: 1_200 }, (_, i) => `GET /things/${i}`);
    await at.db.query(
      `INSERT INTO service_edge (key, kind, peer_kind, peer_name, operation, first_seen, last_seen)
       SELECT sha256(o::bytea), 'call', 'service', 'big', o, now(), now()
         FROM unnest($1::text[]) o`,
      [operations],
    );
    await at.round();
    const bodies = (await at.records()).map((r) => JSON.parse(new TextDecoder().decode(r.value)));
    expect(bodies.map((body) => body.items.length)).toEqual([1_000, 202]);
    expect(bodies[1].items.at(-1).data_entity_group.entities_list).toHaveLength(1_200);
  });
});

describe("publishRound, versions", () => {
  const version = async () =>
    (await at.posted()).find((item) => item.type === "MICROSERVICE")?.metadata[0]?.metadata
      .service_version;

  it("shows the newest version, and does not follow two that run side by side", async () => {
    await at.see({ ...access("read", "a"), version: "1.9" });
    await at.round();
    expect(await version()).toBe("1.9");
    await at.see({ ...access("read", "a"), version: "1.10" });
    await at.round();
    expect(await version()).toBe("1.10");
    for (const next of ["1.9", "1.10", "1.9"]) {
      await at.see({ ...access("read", "a"), version: next });
      await at.round();
      expect(await version()).toBeUndefined();
    }
    at.clock.at += day;
    await at.round();
    expect(await version()).toBe("1.9");
  });
});
