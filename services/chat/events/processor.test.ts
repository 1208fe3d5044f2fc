import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { collaboration, running } from "#test/support/chat/collaboration.ts";
import { chatAnswers, only } from "#test/support/chat/chat-provider.ts";
import { eventually } from "#test/support/eventually.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { plainText } from "./processor.ts";
import { change, reply, seedThread, threadId } from "#test/support/chat/events.ts";

const c = collaboration();
const path = "/api/chat/events";
let entity: number;
let root: string;
beforeAll(async () => void (entity = await seedEntity(c.t.db)));
beforeEach(async () => {
  root = await seedThread(c.t.db, entity);
  const profile = { display_name: "Ada L.", image_72: "https://chat.example/ada.png" };
  c.chat.users.set("U1", { name: "ada", profile });
});

const send = async (...bodies: object[]) => {
  for (const body of bodies) expect((await c.api.post(path, body)).status).toBe(200);
};
const replies = async () => {
  const { json } = await c.api.get(`/api/dataentities/${entity}/messages/${root}?size=100`);
  return json.items as Record<string, unknown>[];
};
const texts = async () => (await replies()).map(({ text }) => text);
const events = () =>
  c.t.db.query<{ state: string; attempts: number; cause: string }>(
    "SELECT state, attempts, cause FROM chat_event ORDER BY id",
  );
const processed = () =>
  running([c.processor()], async () => {
    await eventually(async () => expect(await events()).toEqual([]));
  });
const profileCalls = () => c.chat.calls.filter(({ method }) => method === "users.info").length;

describe("the processor of events", () => {
  it("makes replies of them, with the name and picture of who wrote", async () => {
    await send(reply("1800000001.500000", { text: "see <https://a.example|that> &amp; wait" }));
    await processed();
    expect(await replies()).toEqual([{
      id: expect.any(String),
      text: "see that (https://a.example) & wait",
      username: "Ada L.",
      username_avatar: "https://chat.example/ada.png",
      created_at: "2027-01-15T08:00:01.500Z",
      url: expect.stringContaining("/api/messages/"),
      channel: { channel_id: "C1", name: "general" },
      state: "EXTERNAL",
      children_messages_count: null,
      error: null,
    }]);
    expect(c.chat.problems).toEqual([]);
  });

  it("asks for a profile once, and for none whose the provider does not tell", async () => {
    await send(...[1, 2, 3].map((n) => reply(`180000000${n}.000000`)));
    await send(reply("1800000004.000000", { user: "U404" }));
    await send(reply("1800000005.000000", { user: undefined }));
    await processed();
    expect((await replies()).map(({ username }) => username))
      .toEqual(["Ada L.", "Ada L.", "Ada L.", null, null]);
    expect(profileCalls()).toBe(2);
  });

  it("takes what is repeated for what it is", async () => {
    await send(reply("1800000001.000000"));
    await processed();
    await send(reply("1800000001.000000", { text: "another" }));
    await processed();
    expect(await texts()).toEqual(["reply 1800000001.000000"]);
  });

  it.each([
    ["in order", [0, 1, 2]],
    ["the changes first", [1, 2, 0]],
    ["the last change first", [2, 1, 0]],
    ["between them", [1, 0, 2]],
  ])("ends with the newest text, events come %s", async (_, order) => {
    const ts = "1800000001.000000";
    const all = [
      reply(ts),
      change(ts, "second", "1800000009.000000"),
      change(ts, "third", "1800000010.000000"),
    ];
    for (const at of order) {
      await send(all[at]!);
      await processed();
    }
    expect(await texts()).toEqual(["third"]);
  });

  it("leaves alone what was written here", async () => {
    await send(change(threadId, "forged", "1800000009.000000", { thread_ts: threadId }));
    await processed();
    const { json } = await c.api.get(`/api/dataentities/${entity}/messages?size=1`);
    expect(json.items[0].text).toBe("is it late?");
  });

  it("tries an event again, sets it aside in the end, and goes on with others", async () => {
    c.chat.answer = only(["users.info"], chatAnswers.error("internal_error"));
    await send(reply("1800000001.000000"), reply("1800000002.000000", { user: undefined }));
    const failed = {
      state: "PROCESSING_FAILED",
      attempts: 5,
      cause: "the provider failed (internal_error)",
    };
    await running([c.processor()], async () => {
      await eventually(async () => expect(await events()).toEqual([failed]));
    });
    expect(await texts()).toEqual(["reply 1800000002.000000"]);
  });

  it("waits as long as the provider asks, at no cost to the event", async () => {
    let refusals = 7;
    c.chat.answer = (waiting) => {
      const limited = chatAnswers.status(429, { "retry-after": "0.05" });
      (refusals-- > 0 ? limited : chatAnswers.properly)(waiting);
    };
    await send(reply("1800000001.000000"));
    await processed();
    expect((await replies())[0]!.username).toBe("Ada L.");
  });

  it("waits for a message that is still being sent, and forgets the event when it never comes", async () => {
    const id = await c.post(entity, "on its way");
    await c.t.db.query("UPDATE message SET uncertain = true WHERE id = $1", [id]);
    await send(reply("1800000003.000000", { thread_ts: "1800000002.000000" }));
    await running([c.processor()], async () => {
      const cause = "the message that it answers is still being sent";
      await eventually(async () => expect(await events()).toMatchObject([{ cause, attempts: 0 }]));
      await c.t.db.query("UPDATE message SET state = 'ERROR_SENDING' WHERE id = $1", [id]);
      await eventually(async () => expect(await events()).toEqual([]));
    });
    expect(await texts()).toEqual([]);
  });

  it("loses nothing and doubles nothing with two replicas at work", async () => {
    const all = Array.from(
      { length: 60 },
      (_, n) => reply(`18000001${String(n).padStart(2, "0")}.000000`),
    );
    await send(...all);
    await running([c.processor(), c.processor()], async () => {
      await eventually(async () => expect(await events()).toEqual([]));
    });
    expect(await texts()).toHaveLength(60);
  });
});

it.each([
  ["a <b> c", "a b c"],
  ["<@U1> <@U1|ada>", "@U1 @ada"],
  ["<#C1|general> <!here> <!subteam^S1|@data>", "#general @here @data"],
  ["<https://a.example> <https://a.example|a>", "https://a.example a (https://a.example)"],
  ["1 &lt; 2 &amp;amp; 3", "1 < 2 &amp; 3"],
  ["<<a>>", "<a>"],
])("markup %s reads as %s", (markup, plain) => {
  expect(plainText(markup)).toBe(plain);
});
