import { afterAll, beforeAll, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { Database } from "#metadata/postgres/database.ts";
import { migrate } from "#metadata/schema/migrate.ts";
import { chatAnswers, type FakeChat, startChat } from "#test/support/chat/chat-provider.ts";
import { type OwnEngine, startPostgres } from "#test/support/engines/own-engines.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { eventually } from "#test/support/eventually.ts";
import { seeded } from "#test/support/random.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const channels = 3;
const wavePosts = 15;

let server: OwnEngine;
let db: Database;
let chat: FakeChat;
let replicas: ServiceProcess[] = [];
let entity: number;

beforeAll(async () => {
  [server, chat] = [await startPostgres(), await startChat()];
  await migrate(server.url, silentLogger);
  db = new Database({
    url: server.url,
    max: 4,
    statementTimeoutMs: 9_000,
    applicationName: "test",
  });
  entity = await seedEntity(db, { name: "orders" });
  chat.channels = Array.from({ length: channels }, (_, n) => ({
    id: `C${n}`,
    name: `channel-${n}`,
    is_member: true,
  }));
  const env = {
    METADATA_POSTGRES_URL: server.url,
    HOUSEKEEPING_ENABLED: "false",
    DATACOLLABORATION_ENABLED: "true",
    DATACOLLABORATION_API_URL: chat.apiUrl,
    DATACOLLABORATION_CHAT_OAUTH_TOKEN: chat.token,
    DATACOLLABORATION_SENDING_MESSAGES_RETRY_COUNT: "200",
  };
  replicas = await Promise.all(
    ["one", "two"].map((name) => startService({ service: "api", name, env })),
  );
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.kill()));
  await db?.close();
  await Promise.all([chat?.close(), server?.stop()]);
});

const states = async () =>
  Object.fromEntries(
    (await db.query<{ state: string; n: number }>(
      "SELECT state, count(*) AS n FROM message GROUP BY state",
    )).map(({ state, n }) => [state, n]),
  );

async function post(n: number): Promise<string> {
  const response = await fetch(
    `${replicas[n % 2]!.url}/api/datacollaboration/providers/chat/messages`,
    {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        data_entity_id: entity,
        channel_id: `C${n % channels}`,
        text: `message ${n}`,
      }),
    },
  );
  expect(response.status).toBe(202);
  return (await response.json() as { id: string }).id;
}

it(
  "every message comes to the provider once: senders are killed, the provider is away, two replicas race",
  async () => {
    const random = seeded(11);
    // Now and then a message is taken, and nobody is told.
    chat.answer = (waiting) => {
      const loses = waiting.call.method === "chat.postMessage" && random() < 0.1;
      (loses ? chatAnswers.doesAndBreaks : chatAnswers.properly)(waiting);
    };
    const ids: string[] = [];
    const wave = async () => {
      for (let n = 0; n < wavePosts; n++) ids.push(await post(ids.length));
    };
    for (const victim of [0, 1, 0]) {
      const before = chat.messages.length;
      await wave();
      await eventually(() => expect(chat.messages.length).toBeGreaterThan(before + 3));
      await replicas[victim]!.kill();
      await replicas[victim]!.start();
    }
    await wave();
    await chat.down();
    await eventually(async () => {
      const rows = await db.query(
        "SELECT FROM message WHERE state = 'PENDING_SEND' AND cause IS NOT NULL",
      );
      expect(rows.length).toBeGreaterThan(0);
    });
    await chat.up();
    await eventually(async () => expect(await states()).toEqual({ SENT: ids.length }), {
      within: 120_000,
      describe: states,
    });
    const there = chat.messages.map(({ messageId }) => messageId);
    expect(there.toSorted()).toEqual(ids.toSorted());
    const rows = await db.query<{ id: string; provider_id: string }>(
      "SELECT id, provider_id FROM message",
    );
    expect(new Map(rows.map(({ id, provider_id }) => [id, provider_id])))
      .toEqual(new Map(chat.messages.map(({ messageId, ts }) => [messageId, ts])));
    expect(chat.problems).toEqual([]);
  },
);
