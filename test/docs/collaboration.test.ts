import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { Config } from "#platform/config/schema.ts";
import { apiService } from "#services/api/service.ts";
import { type FakeChat, startChat, token } from "#test/support/chat/chat-provider.ts";
import { examplesOf, outputOf } from "#test/support/documents.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { testDatabase } from "#test/support/engines/database.ts";

const text = readFileSync("docs/use/collaboration.md", "utf8");

describe("docs/use/collaboration.md", () => {
  let chat: FakeChat;
  let instance: Instance;
  beforeAll(async () => {
    chat = await startChat();
    const otherDatabase = await testDatabase();
    await seedEntity(otherDatabase.db);
    const datacollaboration = {
      enabled: true,
      "api-url": chat.apiUrl,
      "chat-oauth-token": token,
    };
    const config = { datacollaboration };
    instance = await startInstance("embedded", {
      services: [apiService],
      config,
      sharedDatabase: otherDatabase,
    });
  });
  afterAll(async () => {
    await instance?.stop();
    await instance?.test.drop();
    await chat?.close();
  });

  it("configures what the configuration takes", () => {
    const [, yaml] = /```yaml\n(.*?)```/s.exec(text)!;
    expect(Config.parse(parse(yaml!)).datacollaboration.enabled).toBe(true);
  });

  it.each(examplesOf(text).map((e) => [e.title, e] as const))(
    "shows what really comes: %s",
    async (_, { command, output }) => {
      const script = command.replaceAll("http://127.0.0.1:8080", instance.url);
      expect(await outputOf(script)).toBe(output);
    },
  );

  it("names every scope that a call needs, and the message comes", async () => {
    await eventually(() => expect(chat.messages).toHaveLength(1));
    expect(chat.problems).toEqual([]);
    for (const scope of chat.scopes!.split(",")) expect(text).toContain(`\`${scope}\``);
  });

  it("has its workers in the health of the process, and a warning of what is not signed", async () => {
    const { workers } = await instance.json("/health/ready") as { workers: object };
    expect(Object.keys(workers)).toEqual(
      expect.arrayContaining(["message sender", "chat event processor"]),
    );
    expect(instance.logs.join("\n")).toContain("anybody can forge events");
    expect(instance.logs.join("\n")).not.toContain(token);
  });
});
