import { beforeAll, describe, expect, it } from "vitest";
import { uuidv7 } from "#kit/ids.ts";
import { chatAnswers } from "#test/support/chat/chat-provider.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { isPageOf } from "./service.ts";
import { collaboration } from "#test/support/chat/collaboration.ts";

const c = collaboration();
let entity: number;
beforeAll(async () => void (entity = await seedEntity(c.t.db, { name: "orders" })));

let clock = 1_800_000_000_000;
interface MessageSeed {
  root?: string;
  channel?: [id: string, name: string];
  of?: number;
  state?: string;
  providerId?: string | null;
}

/** A message a second after the one before; its id. */
async function seed(text: string, given: MessageSeed = {}): Promise<string> {
  const id = uuidv7(clock += 1_000);
  const [channel, name] = given.channel ?? ["C1", "general"];
  await c.t.db.query(
    `INSERT INTO message (id, entity_id, root_id, state, channel_id, channel_name, text, author,
                          created_at, provider_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'ada', $8, $9)`,
    [
      ...[id, given.of ?? entity, given.root ?? null],
      given.state ?? (given.root ? "EXTERNAL" : "SENT"),
      ...[channel, name, text, new Date(clock)],
      given.providerId === undefined ? `${clock / 1_000}.000001` : given.providerId,
    ],
  );
  return id;
}
const texts = async (path: string) =>
  ((await c.api.get(path)).json.items as { text: string }[]).map(({ text }) => text);
const of = (id = entity) => `/api/dataentities/${id}/messages`;

describe("threads of an entity", () => {
  it("come newest first, page by page, of one channel or of all", async () => {
    for (const n of [1, 2, 3, 4, 5]) {
      await seed(`m${n}`, n % 2 ? {} : { channel: ["C2", "data-quality"] });
    }
    await seed("of another", { of: await seedEntity(c.t.db) });
    expect(await texts(`${of()}?size=2`)).toEqual(["m5", "m4"]);
    const { json } = await c.api.get(`${of()}?size=2`);
    const last = json.items[1].id;
    expect(await texts(`${of()}?size=2&last_message_id=${last}`)).toEqual(["m3", "m2"]);
    expect(await texts(`${of()}?size=9&channel_id=C2`)).toEqual(["m4", "m2"]);
    expect(await texts(`${of()}?size=9&channel_id=C404`)).toEqual([]);
  });

  it("tell of replies by their number, and of the page at the provider", async () => {
    const root = await seed("root");
    for (const n of [1, 2, 3]) await seed(`r${n}`, { root });
    const { json: { items } } = await c.api.get(`${of()}?size=9`);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      id: root,
      username: "ada",
      children_messages_count: 3,
      url: `https://data.example/api/messages/${root}/url`,
    });
    const replies = `${of()}/${root}`;
    expect(await texts(`${replies}?size=2`)).toEqual(["r1", "r2"]);
    const page = await c.api.get(`${replies}?size=2`);
    expect(page.json.items[0]).toMatchObject({ state: "EXTERNAL", children_messages_count: null });
    const after = page.json.items[1].id;
    expect(await texts(`${replies}?size=2&last_message_id=${after}`)).toEqual(["r3"]);
  });

  it("have no replies, or are unknown", async () => {
    const root = await seed("alone");
    expect((await c.api.get(`${of()}/${root}?size=1`)).json).toEqual({ items: [] });
    expect((await c.api.get(`${of()}/${crypto.randomUUID()}?size=1`)).status).toBe(404);
    const other = await seedEntity(c.t.db);
    expect((await c.api.get(`${of(other)}/${root}?size=1`)).status).toBe(404);
  });

  it.each([
    ["?size=0", 400, /size/],
    ["", 400, /size/],
    ["?size=1001", 400, /size/],
    ["?size=1&last_message_id=17", 400, /last_message_id/],
    ["?size=1&channel_id=%00", 400, /channel_id/],
  ])("refuse %s", async (query, status, message) => {
    const answer = await c.api.get(`${of()}${query}`);
    expect([answer.status, answer.json.message]).toEqual([status, expect.stringMatching(message)]);
  });

  it("are those of an entity that is known", async () => {
    const hollow = await seedEntity(c.t.db, { hollow: true });
    for (const id of [999_999, hollow]) {
      expect((await c.api.get(`${of(id)}?size=1`)).status).toBe(404);
      expect((await c.api.get(`/api/dataentities/${id}/channels`)).status).toBe(404);
    }
    expect((await c.api.get(`${of()}/17?size=1`)).status).toBe(400);
  });
});

it("channels of an entity come by their use, those that begin so in any case", async () => {
  await seed("a", { channel: ["C1", "General"] });
  for (const n of [1, 2]) await seed(`b${n}`, { channel: ["C2", "data-quality"] });
  await seed("c", { channel: ["C3", "geo"] });
  await seed("d", { channel: ["C9", "elsewhere"], of: await seedEntity(c.t.db) });
  const path = `/api/dataentities/${entity}/channels`;
  expect((await c.api.get(path)).json).toEqual({
    items: [
      { channel_id: "C2", name: "data-quality" },
      { channel_id: "C1", name: "General" },
      { channel_id: "C3", name: "geo" },
    ],
  });
  const names = async (prefix: string) =>
    (await c.api.get(`${path}?channel_name=${prefix}`)).json.items
      .map(({ name }: { name: string }) => name);
  expect(await names("GE")).toEqual(["General", "geo"]);
  expect(await names("%25")).toEqual([]);
});

describe("the page of a message", () => {
  const url = (id: string) => `/api/messages/${id}/url`;
  const sent = async () => {
    const providerId = `1800000000.${String(c.chat.messages.length).padStart(6, "0")}`;
    c.chat.messages.push({ channel: "C1", ts: providerId, messageId: "", text: "", blocks: [] });
    return await seed("sent", { providerId });
  };

  it("is requested once, and then known", async () => {
    const id = await sent();
    for (const _ of [1, 2]) {
      const { status, headers, text } = await c.api.get(url(id));
      expect([status, text]).toEqual([302, ""]);
      expect(headers.get("location")).toBe(
        `${new URL(c.chat.apiUrl).origin}/archives/C1/p1800000000000000`,
      );
      expect(headers.get("cache-control")).toBe("no-store");
    }
    expect(c.chat.calls).toHaveLength(1);
    expect(c.chat.problems).toEqual([]);
  });

  it("is unknown for an unknown message, one that waits, and one that the provider has no more", async () => {
    const waits = await seed("waits", { state: "PENDING_SEND", providerId: null });
    const gone = await seed("gone", { providerId: "1700000000.000009" });
    for (const id of [crypto.randomUUID(), waits, gone]) {
      expect((await c.api.get(url(id))).status).toBe(404);
    }
  });

  it("cannot be told while the provider fails", async () => {
    const id = await sent();
    c.chat.answer = chatAnswers.status(500);
    expect((await c.api.get(url(id))).status).toBe(503);
  });

  it("is never elsewhere", async () => {
    const id = await sent();
    c.chat.answer = ({ say }) => say({ ok: true, permalink: "https://evil.example/p1" });
    expect((await c.api.get(url(id))).status).toBe(404);
    c.chat.answer = chatAnswers.properly;
    expect((await c.api.get(url(id))).status).toBe(302);
  });

  it.each([
    ["https://team.slack.com/archives/\u4e2d", "https://team.slack.com/archives/%E4%B8%AD"],
    ["https://team.slack.com/a\n\tb\0", "https://team.slack.com/ab"],
    ["https:team.slack.com/a", "https://team.slack.com/a"],
  ])("is written as browsers take it, though the provider tells %j", async (permalink, page) => {
    const id = await sent();
    c.chat.answer = ({ say }) => say({ ok: true, permalink });
    for (const _ of [1, 2]) {
      const { status, headers } = await c.api.get(url(id));
      expect([status, headers.get("location")]).toEqual([302, page]);
    }
  });

  it.each([
    ["https://slack.com/api", "https://team.slack.com/archives/C1/p1", true],
    ["https://slack.com/api", "https://slack.com/x", true],
    ["https://chat-proxy.example/api", "https://team.slack.com/archives/C1/p1", true],
    ["https://chat.example/api", "https://team.chat.example/x", true],
    ["https://slack.com/api", "http://team.slack.com/x", false],
    ["https://slack.com/api", "https://slack.com.evil.example/x", false],
    ["https://slack.com/api", "https://evilslack.com/x", false],
    ["https://slack.com/api", "https://slack.com@evil.example/x", false],
    ["https://slack.com/api", "https://u:p@slack.com/x", false],
    ["https://slack.com/api", "javascript:alert(1)", false],
    ["http://127.0.0.1:1/api", "http://127.0.0.1:2/x", false],
  ])("under %s may be %s: %s", (api, page, may) => {
    expect(isPageOf(api, page)).toBe(may);
  });
});
