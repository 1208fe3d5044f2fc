import type { Admin } from "kafkajs";
import kafkajs from "kafkajs";
import { beforeEach, describe, expect, it } from "vitest";
import { SharedAdmin } from "#eventlog/kafka/admin.ts";
import { isUnknownTopic } from "#eventlog/kafka/client.ts";
import { eventually } from "#test/support/eventually.ts";

interface FakeAdmin {
  connects: number;
  disconnects: number;
  connected: PromiseWithResolvers<void>;
}

const away = () => new kafkajs.KafkaJSConnectionError("connect ECONNREFUSED", { broker: "b:1" });
const closed = () => new kafkajs.KafkaJSConnectionError("Not connected", { broker: "b:1" });
const answer = (type: string) =>
  Object.assign(new Error(type), { type, name: "KafkaJSProtocolError" });

describe("SharedAdmin", () => {
  let admins: FakeAdmin[];
  let shared: SharedAdmin;
  beforeEach(() => {
    admins = [];
    shared = new SharedAdmin({ admin: () => fake() as unknown as Admin });
  });

  function fake() {
    const state = { connects: 0, disconnects: 0, connected: Promise.withResolvers<void>() };
    admins.push(state);
    return {
      connect: () => (state.connects++, state.connected.promise),
      disconnect: () => (state.disconnects++, Promise.resolve()),
    };
  }

  it("connects once, however many ask meanwhile", async () => {
    const calls = [1, 2, 3].map((n) => shared.call(() => Promise.resolve(n), 5_000));
    admins[0]!.connected.resolve();
    expect(await Promise.all(calls)).toEqual([1, 2, 3]);
    expect(await shared.call(() => Promise.resolve(4), 5_000)).toBe(4);
    expect(admins.map((admin) => admin.connects)).toEqual([1]);
  });

  it("replaces a client that found no broker", async () => {
    const refused = shared.call(() => Promise.resolve(), 5_000);
    admins[0]!.connected.reject(away());
    await expect(refused).rejects.toMatchObject({ status: 503 });
    const well = shared.call(() => Promise.resolve("well"), 5_000);
    admins[1]!.connected.resolve();
    expect(await well).toBe("well");
    expect(admins.map((admin) => admin.disconnects)).toEqual([1, 0]);
  });

  it("makes a call whose connection was lost with a new client", async () => {
    const answers = [() => Promise.reject(closed()), () => Promise.resolve("well")];
    const call = shared.call(() => answers.shift()!(), 5_000);
    admins[0]!.connected.resolve();
    await eventually(() => expect(admins).toHaveLength(2));
    admins[1]!.connected.resolve();
    expect(await call).toBe("well");
    expect(admins.map((admin) => admin.disconnects)).toEqual([1, 0]);
  });

  it("refuses with 503 where the connection was lost and no broker is found after it", async () => {
    const call = shared.call(() => Promise.reject(closed()), 5_000);
    const refused = expect(call).rejects.toMatchObject({ status: 503 });
    admins[0]!.connected.resolve();
    await eventually(() => expect(admins).toHaveLength(2));
    admins[1]!.connected.reject(away());
    await refused;
    expect(admins.map((admin) => admin.disconnects)).toEqual([1, 1]);
  });

  it("replaces a client that is late, and ends it once it has connected", async () => {
    await expect(shared.call(() => Promise.resolve(), 1)).rejects.toThrow("in time");
    expect(admins[0]!.disconnects).toBe(0);
    admins[0]!.connected.resolve();
    await eventually(() => expect(admins[0]!.disconnects).toBe(1));
    void shared.call(() => Promise.resolve(), 5_000);
    expect(admins).toHaveLength(2);
    admins[1]!.connected.resolve();
  });

  it("asks again where the client has no metadata yet, and refuses with 503 in the end", async () => {
    const unknown = () => Promise.reject(new TypeError("Cannot read properties of null"));
    const answers = [unknown, unknown, () => Promise.resolve("known")];
    const call = shared.call(() => answers.shift()!(), 5_000);
    admins[0]!.connected.resolve();
    expect(await call).toBe("known");
    await expect(shared.call(unknown, 5_000)).rejects.toMatchObject({ status: 503 });
    await expect(shared.call(unknown, 60)).rejects.toMatchObject({ status: 503 });
    expect(admins[0]!.connects).toBe(1);
  });

  it("asks with new metadata where a partition's leader has moved, and refuses with 503 in the end", async () => {
    const notLeader = () => Promise.reject(answer("NOT_LEADER_FOR_PARTITION"));
    const seen: number[] = [];
    const call = shared.call(() => {
      seen.push(admins.length);
      return seen.length < 3 ? notLeader() : Promise.resolve("known");
    }, 5_000);
    const opened = setInterval(() => admins.at(-1)!.connected.resolve(), 1);
    expect(await call).toBe("known");
    expect(seen).toEqual([1, 2, 3]);
    expect(admins.map(({ disconnects }) => disconnects)).toEqual([1, 1, 0]);
    await expect(shared.call(notLeader, 200)).rejects.toMatchObject({ status: 503 });
    clearInterval(opened);
  });

  it("retries what the caller calls temporary, with the same client, until the time is over", async () => {
    const unknown = () => Promise.reject(answer("UNKNOWN_TOPIC_OR_PARTITION"));
    let calls = 0;
    const call = () => ++calls < 4 ? unknown() : Promise.resolve("known");
    const answered = shared.call(call, 10_000, isUnknownTopic);
    admins[0]!.connected.resolve();
    expect(await answered).toBe("known");
    await expect(shared.call(unknown, 200, isUnknownTopic)).rejects.toMatchObject({ status: 503 });
  });

  it("keeps a client whose broker refuses", async () => {
    const refused = shared.call(() => Promise.reject(answer("UNKNOWN_TOPIC_OR_PARTITION")), 5_000);
    admins[0]!.connected.resolve();
    await expect(refused).rejects.toMatchObject({ status: 503 });
    expect(await shared.call(() => Promise.resolve("well"), 5_000)).toBe("well");
    expect(admins).toHaveLength(1);
  });
});
