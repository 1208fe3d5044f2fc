import { describe, expect, it } from "vitest";
import { Config } from "#platform/config/schema.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { activeFeatures } from "#services/api/features/identity/service.ts";
import { messageRoutes } from "./routes.ts";
import { chatService } from "#services/chat/service.ts";

const { api, context } = (() => {
  const tested = featureUnderTest(messageRoutes);
  return { api: tested.api, context: () => tested.context };
})();

describe("while data collaboration is off", () => {
  it.each([
    ["GET", "/api/datacollaboration/providers/chat/channels"],
    ["POST", "/api/datacollaboration/providers/chat/messages", {}],
    ["POST", "/api/datacollaboration/providers/chat/messages"],
    ["GET", "/api/dataentities/1/messages"],
    ["GET", "/api/dataentities/1/messages?size=1"],
    ["GET", "/api/dataentities/x/messages/y"],
    ["GET", "/api/dataentities/1/channels"],
    ["GET", "/api/messages/1/url"],
    ["POST", "/api/chat/events", { type: "url_verification", challenge: "x" }],
    ["POST", "/api/chat/events", "no JSON"],
  ])("%s %s is 404, whatever is sent", async (method, path, body?: unknown) => {
    const { status, json } = await api.send(method, path, body);
    expect([status, json.code]).toEqual([404, "USR002"]);
    expect(json.message).toBe("Data collaboration is off (datacollaboration.enabled)");
  });

  it("nothing of it runs", () => {
    expect(chatService.create(context())).toMatchObject({ routes: [], workers: [] });
  });
});

it("the features that are on are told", () => {
  const features = (given: object) => activeFeatures({ config: Config.parse(given) }).items;
  const datacollaboration = { enabled: true, "chat-oauth-token": "xoxb-1" };
  expect(features({})).toEqual([]);
  expect(features({ datacollaboration })).toEqual(["DATA_COLLABORATION"]);
  expect(features({ datacollaboration, notifications: { enabled: true } })).toEqual([
    "DATA_COLLABORATION",
    "ALERT_NOTIFICATIONS",
  ]);
});
