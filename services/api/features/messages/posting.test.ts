import { beforeAll, describe, expect, it } from "vitest";
import { chatAnswers, only } from "#test/support/chat/chat-provider.ts";
import { calledBy } from "#test/support/http/caller.ts";
import { bindUser } from "#test/support/http/caller.ts";
import { testApi } from "#test/support/http/api.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { messageRoutes } from "./routes.ts";
import { collaboration } from "#test/support/chat/collaboration.ts";

const c = collaboration();
const path = "/api/datacollaboration/providers/chat/messages";
let entity: number;
beforeAll(async () => void (entity = await seedEntity(c.t.db, { name: "orders" })));

const request = (more: object = {}) => ({
  data_entity_id: entity,
  channel_id: "C1",
  text: "is it late?",
  ...more,
});

describe("posting a message", () => {
  it("answers 202 with the message, which waits", async () => {
    const { status, json } = await c.api.post(path, request({ text: "  is it late?\n" }));
    expect(status).toBe(202);
    expect(json).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      text: "is it late?",
      username: null,
      username_avatar: null,
      created_at: expect.any(String),
      url: null,
      channel: { channel_id: "C1", name: "general" },
      state: "PENDING_SEND",
      children_messages_count: 0,
      error: null,
    });
    // The id is made of the time.
    const ms = parseInt(json.id.replace("-", "").slice(0, 12), 16);
    expect(new Date(ms).toISOString()).toBe(json.created_at);
    expect(c.chat.problems).toEqual([]);
  });

  it("names its author as the owner that the user is bound to, else by the user's name", async () => {
    await bindUser(c.t.db, "ada", "Ada Lovelace");
    const by = (who: string) => testApi(calledBy(who, messageRoutes(c.context)), c.context);
    expect((await by("ada").post(path, request())).json.username).toBe("Ada Lovelace");
    expect((await by("bob").post(path, request())).json.username).toBe("bob");
  });

  it.each([
    ["an unknown entity", { data_entity_id: 999_999 }, 404, /Data entity 999999/],
    ["an unknown channel", { channel_id: "C404" }, 404, /Channel C404/],
    ["an empty text", { text: "  " }, 400, /text: must not be empty/],
    ["a text that is too long", { text: "x".repeat(4_001) }, 400, /text: must be at most 4000/],
    ["NUL in the text", { text: "a\0b" }, 400, /text: must not hold the character NUL/],
    ["NUL in the channel", { channel_id: "C\0" }, 400, /channel_id: must not hold/],
    ["half a character", { text: "a\ud800" }, 400, /text: must not hold half/],
    ["no channel", { channel_id: "" }, 400, /channel_id: must not be empty/],
    ["a long channel", { channel_id: "C".repeat(101) }, 400, /channel_id: must be at most 100/],
    ["an entity that is no id", { data_entity_id: "1" }, 400, /data_entity_id/],
  ])("refuses %s", async (_, more, status, message) => {
    const answer = await c.api.post(path, request(more));
    expect([answer.status, answer.json.message]).toEqual([
      status,
      expect.stringMatching(message),
    ]);
    expect(await c.messages()).toEqual([]);
  });

  it("refuses a hollow entity without asking the provider", async () => {
    const hollow = await seedEntity(c.t.db, { hollow: true });
    expect((await c.api.post(path, request({ data_entity_id: hollow }))).status).toBe(404);
    expect(c.chat.calls).toEqual([]);
  });

  it.each([
    ["archived", { is_archived: true }],
    ["to which the app was not invited", { is_member: false }],
  ])("refuses a channel that is %s, naming the member", async (what, more) => {
    const id = `C9${what.length}`;
    c.chat.channels.push({ id, name: what, is_member: true, ...more });
    const { status, json } = await c.api.post(path, request({ channel_id: id }));
    expect([status, json.details[0].field]).toEqual([400, "channel_id"]);
    c.chat.channels.pop();
  });

  it("answers 503 when the provider cannot tell of the channel", async () => {
    c.chat.answer = only(["conversations.info"], chatAnswers.status(429, { "retry-after": "7" }));
    const { status, headers } = await c.api.post(path, request({ channel_id: "C77" }));
    expect([status, headers.get("retry-after")]).toEqual([503, "7"]);
    expect(await c.messages()).toEqual([]);
  });

  it("answers 503 when as many wait as may, also to many at once", async () => {
    const entities = await Promise.all(Array.from({ length: 6 }, () => seedEntity(c.t.db)));
    await c.post(entity, "one");
    await c.t.db.query(
      `INSERT INTO message (id, entity_id, state, channel_id, channel_name, text, created_at)
       SELECT gen_random_uuid(), $1, 'PENDING_SEND', 'C1', 'general', 'x', now()
         FROM generate_series(3, 10000)`,
      [entity],
    );
    const answers = await Promise.all(
      entities.map((data_entity_id) => c.api.post(path, request({ data_entity_id }))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 503, 503, 503, 503, 503]);
    expect((await c.api.post(path, request())).status).toBe(503);
  });
});
