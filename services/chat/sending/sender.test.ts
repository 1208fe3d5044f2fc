import { beforeAll, describe, expect, it } from "vitest";
import { chatAnswers, only, type PendingCall, token } from "#test/support/chat/chat-provider.ts";
import { WebApiProvider } from "#platform/chat/web-api.ts";
import { eventually } from "#test/support/eventually.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { collaboration, type MessageRow, running } from "#test/support/chat/collaboration.ts";

const c = collaboration();
const posts = ["chat.postMessage"];
let entity: number;
beforeAll(async () => void (entity = await seedEntity(c.t.db, { name: "orders" })));

const tried = () => c.chat.calls.filter(({ method }) => method === "chat.postMessage").length;
const ended = (...states: string[]) =>
  eventually(async () => {
    const rows = await c.messages();
    expect(rows.map(({ state }) => state)).toEqual(states);
    return rows as [MessageRow, ...MessageRow[]];
  });

describe("the sender", () => {
  it("sends each message once, in the order of its channel, and keeps what the provider calls it", async () => {
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.push(await c.post(entity, `m${n}`));
    ids.push(await c.post(entity, "elsewhere", "C2"));
    await running([c.sender()], async () => {
      const rows = await ended("SENT", "SENT", "SENT", "SENT");
      expect(rows.every(({ provider_id, cause }) => provider_id && cause === null)).toBe(true);
    });
    expect(c.chat.messages.map(({ messageId }) => messageId).sort()).toEqual([...ids].sort());
    const general = c.chat.messages.filter(({ channel }) => channel === "C1");
    expect(general.map(({ messageId }) => messageId)).toEqual(ids.slice(0, 3));
    expect(c.chat.problems).toEqual([]);
  });

  it("leaves as much time between two messages of a channel as the provider asks for", async () => {
    const at: number[] = [];
    c.chat.answer = (waiting) => {
      at.push(performance.now());
      chatAnswers.properly(waiting);
    };
    for (const n of [1, 2, 3]) await c.post(entity, `m${n}`);
    const senders = [c.sender({ intervalMs: 200 }), c.sender({ intervalMs: 200 })];
    await running(senders, async () => void await ended("SENT", "SENT", "SENT"));
    for (const gap of at.slice(1).map((time, n) => time - at[n]!)) expect(gap).toBeGreaterThan(190);
  });

  it("sends one message of a channel at a time, in order, no matter which of two processes has it", async () => {
    const inFlight = new Set<string>();
    let together = 0;
    c.chat.answer = (waiting) => {
      const channel = String(waiting.call.given.channel);
      if (inFlight.has(channel)) together++;
      inFlight.add(channel);
      setTimeout(() => {
        inFlight.delete(channel);
        chatAnswers.properly(waiting);
      }, 50);
    };
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push(await c.post(entity, `m${n}`, n % 2 ? "C2" : "C1"));
    const senders = [c.sender({ intervalMs: 1 }), c.sender({ intervalMs: 1 })];
    await running(senders, async () => void await ended(...Array<string>(12).fill("SENT")));
    expect(together).toBe(0);
    for (const [at, channel] of ["C1", "C2"].entries()) {
      const there = c.chat.messages.filter((message) => message.channel === channel);
      expect(there.map(({ messageId }) => messageId)).toEqual(ids.filter((_, n) => n % 2 === at));
    }
  });

  it("sends to other channels while one does not answer", async () => {
    let waitingCall: PendingCall | undefined;
    c.chat.answer = (waiting) => {
      if (waiting.call.given.channel === "C1") waitingCall = waiting;
      else chatAnswers.properly(waiting);
      if (c.chat.messages.length === 3) chatAnswers.properly(waitingCall!);
    };
    const { context: { metrics }, chat: { apiUrl } } = c;
    const provider = new WebApiProvider({ apiUrl, token, metrics, timeoutMs: 60_000 });
    await c.post(entity, "waits");
    for (const n of [1, 2, 3]) await c.post(entity, `m${n}`, "C2");
    await running([c.sender({ provider, leaseMs: 120_000 })], async () => {
      await ended("SENT", "SENT", "SENT", "SENT");
    });
    expect(c.chat.messages.map(({ channel }) => channel)).toEqual(["C2", "C2", "C2", "C1"]);
  });

  it.each([
    ["fails", chatAnswers.status(500), "the provider failed (500)"],
    ["says that it fails", chatAnswers.error("internal_error"), /failed \(internal_error\)/],
    ["answers nonsense", chatAnswers.broken, "the answer cannot be read"],
    ["hangs", chatAnswers.hangs, "no answer within 500 ms"],
    ["breaks the connection", ({ socket }: PendingCall) => void socket.destroy(), /connection/],
  ])("gives a message up after the budget when the provider %s", async (_, answering, cause) => {
    c.chat.answer = only(posts, answering);
    await c.post(entity, "never");
    const sender = c.sender({ rules: { attempts: 3, waitMs: 20, longestMs: 60_000 } });
    await running([sender], async () => {
      const [row] = await ended("ERROR_SENDING");
      const expectedCause = cause instanceof RegExp ? expect.stringMatching(cause) : cause;
      expect(row).toMatchObject({ attempts: 3, cause: expectedCause });
      expect(row.cause).not.toContain("hunter2");
    });
    expect(tried()).toBe(3);
  });

  it("gives a message up at once that the provider refuses, and sends the others", async () => {
    c.chat.channels.push({ id: "C7", name: "closed", is_member: true });
    await c.post(entity, "refused", "C7");
    c.chat.channels.pop();
    await c.post(entity, "taken", "C1");
    await running([c.sender()], async () => {
      const [row] = await ended("ERROR_SENDING", "SENT");
      expect(row).toMatchObject({
        attempts: 1,
        cause: "refused by the provider (channel_not_found)",
      });
    });
  });

  it("sends in time what waits behind a message that fails", async () => {
    c.chat.answer = (waiting) =>
      (JSON.stringify(waiting.call.given).includes("poison")
        ? chatAnswers.error("internal_error")
        : chatAnswers.properly)(waiting);
    await c.post(entity, "poison");
    await c.post(entity, "sound");
    const rules = { attempts: 1_000, waitMs: 20, longestMs: 60_000 };
    await running([c.sender({ rules })], async () => void await ended("PENDING_SEND", "SENT"));
  });

  it("waits as long as the provider asks, at no cost to the message", async () => {
    let refusals = 6;
    const at: number[] = [];
    c.chat.answer = (waiting) => {
      at.push(performance.now());
      const limited = chatAnswers.status(429, { "retry-after": "0.3" });
      (refusals-- > 0 ? limited : chatAnswers.properly)(waiting);
    };
    await c.post(entity, "patient");
    await running([c.sender()], async () => {
      const [row] = await ended("SENT");
      expect(row.attempts).toBe(1);
    });
    for (const gap of at.slice(1).map((time, n) => time - at[n]!)) expect(gap).toBeGreaterThan(290);
  });

  it("gives up what the provider puts off for too long", async () => {
    c.chat.answer = only(posts, chatAnswers.error("ratelimited"));
    await c.post(entity, "old");
    const rules = { attempts: 4, waitMs: 20, longestMs: 0 };
    await running([c.sender({ rules })], async () => {
      expect((await ended("ERROR_SENDING"))[0].cause).toBe("rate limited");
    });
  });

  it("does not send again what came there without our hearing of it", async () => {
    let first = true;
    c.chat.answer = (waiting) => {
      const breaks = first && waiting.call.method === "chat.postMessage";
      if (breaks) first = false;
      (breaks ? chatAnswers.doesAndBreaks : chatAnswers.properly)(waiting);
    };
    const id = await c.post(entity, "once");
    await running([c.sender()], async () => {
      const [row] = await ended("SENT");
      expect(row.provider_id).toBe(c.chat.messages[0]!.ts);
    });
    expect(c.chat.messages.map(({ messageId }) => messageId)).toEqual([id]);
    expect(tried()).toBe(1);
  });

  it("sends again when the provider does not let it look", async () => {
    let first = true;
    c.chat.answer = (waiting) => {
      const { method } = waiting.call;
      const breaks = first && method === "chat.postMessage";
      if (breaks) first = false;
      const history = method === "conversations.history" && chatAnswers.error("missing_scope");
      (history || (breaks ? chatAnswers.doesAndBreaks : chatAnswers.properly))(waiting);
    };
    const id = await c.post(entity, "twice");
    await running([c.sender()], async () => void await ended("SENT"));
    expect(c.chat.messages.map(({ messageId }) => messageId)).toEqual([id, id]);
  });

  it("looks for a message whose sender was killed, and sends it if it is not there", async () => {
    await c.post(entity, "was sent");
    await c.post(entity, "was not sent", "C2");
    const killed = c.sender({ leaseMs: 700 });
    c.chat.answer = (waiting) => {
      // The provider has the first; nobody is told.
      if (waiting.call.given.channel === "C1") waiting.perform();
    };
    const hung = running([killed], async () => {
      await eventually(() => expect(tried()).toBe(2));
      // A killed process gives its claims back to nobody.
      await c.t.db.query("UPDATE message SET claimed_by = gen_random_uuid()");
    });
    await hung;
    c.chat.answer = chatAnswers.properly;
    await running([c.sender({ leaseMs: 700 })], async () => void await ended("SENT", "SENT"));
    expect(c.chat.messages.map(({ channel }) => channel)).toEqual(["C1", "C2"]);
  });

  it("ends a message whose last attempt nobody saw the end of", async () => {
    const id = await c.post(entity, "lost");
    await c.t.db.query("UPDATE message SET attempts = 4, uncertain = true WHERE id = $1", [id]);
    await running([c.sender()], async () => {
      const [row] = await ended("ERROR_SENDING");
      expect(row.cause).toBe("the process ended while it was being sent");
    });
    expect(c.chat.messages).toEqual([]);
  });

  it("gives up a message of which it cannot keep how it ended, and sends the others", async () => {
    const ts = "1800000000.000001";
    c.chat.answer = (waiting) => {
      const isRetry = waiting.call.given.channel === "C1" && waiting.call.method === posts[0];
      if (isRetry) waiting.say({ ok: true, channel: "C1", ts });
      else chatAnswers.properly(waiting);
    };
    for (const text of ["first", "called as the first"]) await c.post(entity, text);
    await c.post(entity, "elsewhere", "C2");
    await running([c.sender()], async () => {
      const [first, second] = await ended("SENT", "ERROR_SENDING", "SENT");
      expect(first.provider_id).toBe(ts);
      expect(second).toMatchObject({ provider_id: null, cause: expect.stringMatching(/log/) });
    });
  });

  it("tells in its health that the provider fails, and when it does no more", async () => {
    const sender = c.sender({ rules: { attempts: 1_000, waitMs: 20, longestMs: 60_000 } });
    await running([sender], async () => {
      await eventually(() => expect(sender.health()).toEqual({ ready: true, state: "running" }));
      c.chat.answer = only(posts, chatAnswers.status(503));
      await c.post(entity, "patient");
      const detail = "the provider failed (503)";
      await eventually(() =>
        expect(sender.health()).toEqual({ ready: false, state: "retrying", detail })
      );
      c.chat.answer = chatAnswers.properly;
      await ended("SENT");
      await eventually(() => expect(sender.health()).toEqual({ ready: true, state: "running" }));
    });
  });
});
