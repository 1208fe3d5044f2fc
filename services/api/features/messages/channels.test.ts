import { beforeEach, describe, expect, it } from "vitest";
import { noMetrics } from "#kit/metrics.ts";
import { silentLogger } from "#kit/log.ts";
import { chatAnswers, type FakeChat, only, startChat } from "#test/support/chat/chat-provider.ts";
import { token } from "#test/support/chat/chat-provider.ts";
import { Channels } from "./service.ts";
import { WebApiProvider } from "#platform/chat/web-api.ts";

let now = 0;
const clock = { now: () => now, sleep: () => Promise.resolve() };
let chat: FakeChat;
let channels: Channels;

beforeEach(async () => {
  chat = await startChat();
  const options = { apiUrl: chat.apiUrl, token, metrics: noMetrics, timeoutMs: 500 };
  const deps = { clock, metrics: noMetrics, log: silentLogger };
  channels = new Channels(deps, new WebApiProvider(options));
  return async () => {
    expect(chat.problems).toEqual([]);
    await chat.close();
  };
});

const names = async (prefix?: string) => (await channels.list(prefix)).items.map((i) => i.name);
const lists = () => chat.calls.filter(({ method }) => method === "conversations.list").length;

describe("channels of the provider", () => {
  it("are listed by name, those that begin so in any case", async () => {
    expect(await names()).toEqual(["data-quality", "general"]);
    expect(await names("DATA")).toEqual(["data-quality"]);
    expect(await names("quality")).toEqual([]);
  });

  it("are requested once a minute, also by many at once", async () => {
    await Promise.all(Array.from({ length: 10 }, () => channels.list()));
    now += 59_999;
    await channels.list("x");
    expect(lists()).toBe(1);
    now += 1;
    await channels.list();
    expect(lists()).toBe(2);
  });

  it("are read page by page, the open ones", async () => {
    chat.pageSize = 2;
    chat.channels.push(
      { id: "C3", name: "old", is_member: true, is_archived: true },
      { id: "C4", name: "others", is_member: false },
      { id: "C5", name: "zoo", is_member: true },
    );
    expect(await names()).toEqual(["data-quality", "general", "zoo"]);
    expect(lists()).toBe(3);
  });

  it("are all public ones where the token says that it may write to them", async () => {
    chat.channels.push({ id: "C4", name: "others", is_member: false, is_private: false });
    chat.scopes = "chat:write,chat:write.public";
    expect(await names("oth")).toEqual(["others"]);
  });

  it("are cut at a thousand in an answer", async () => {
    chat.channels = Array.from({ length: 1_500 }, (_, n) => ({
      id: `C${n}`,
      name: `c${String(n).padStart(4, "0")}`,
      is_member: true,
    }));
    expect(await names()).toHaveLength(1_000);
    expect(await names("c14")).toHaveLength(100);
  });

  it.each([
    ["is away", () => chat.down()],
    ["fails", () => void (chat.answer = chatAnswers.status(500))],
    ["hangs", () => void (chat.answer = chatAnswers.hangs)],
    ["answers no JSON", () => void (chat.answer = chatAnswers.broken)],
    ["answers without end", () => void (chat.answer = chatAnswers.huge)],
    ["redirects", () => void (chat.answer = chatAnswers.status(302, { location: "/" }))],
    ["has revoked the token", () => void (chat.answer = chatAnswers.error("token_revoked"))],
    ["is asked too often", () => void (chat.answer = chatAnswers.status(429))],
  ])("cannot be told when the provider %s, and are soon after", async (_, fault) => {
    await fault();
    await expect(channels.list()).rejects.toMatchObject({ status: 503, code: "SYS002" });
    await expect(channels.require("C1")).rejects.toMatchObject({ status: 503 });
    chat.answer = chatAnswers.properly;
    if (chat.calls.length === 0) await chat.up();
    expect(await names("gen")).toEqual(["general"]);
  });

  it("are found by their id, from the list where it is known", async () => {
    await channels.list();
    expect(await channels.require("C1")).toMatchObject({ name: "general" });
    expect(chat.calls).toHaveLength(1);
    await expect(channels.require("C404")).rejects.toMatchObject({ status: 404 });
    await expect(channels.require("C404")).rejects.toMatchObject({ status: 404 });
    expect(chat.calls).toHaveLength(2);
  });

  it("are requested with nothing but what the provider knows", async () => {
    chat.answer = only(["conversations.info"], chatAnswers.properly);
    await expect(channels.require("D1&token=x")).rejects.toMatchObject({ status: 404 });
    expect(chat.calls[0]!.given).toEqual({ channel: "D1&token=x" });
  });
});
