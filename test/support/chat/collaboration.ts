import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Worker } from "#kit/worker.ts";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { MessageMetrics } from "#services/chat/metrics.ts";
import { WebApiProvider } from "#platform/chat/web-api.ts";
import { messageRoutes } from "#services/api/features/messages/routes.ts";
import { eventProcessor } from "#services/chat/events/processor.ts";
import { messageSender, type SenderOptions } from "#services/chat/sending/sender.ts";
import { chatAnswers, type FakeChat, startChat, token } from "#test/support/chat/chat-provider.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";

/** A row of the table of messages, as far as tests look. */
export interface MessageRow {
  id: string;
  state: string;
  text: string;
  provider_id: string | null;
  cause: string | null;
  attempts: number;
}

export interface Collaboration {
  readonly api: TestApi;
  readonly chat: FakeChat;
  readonly context: Context;
  readonly t: TestDatabase;
  /** A sender as in another process: with claims of its own. */
  sender(given?: Partial<SenderOptions>): Worker;
  processor(given?: { waitMs?: number }): Worker;
  messages(): Promise<MessageRow[]>;
  /** Posts a message; its id. */
  post(entityId: number, text: string, channel?: string): Promise<string>;
}

/** What is laid over the keys of data collaboration. */
export type Settings = Record<string, unknown>;

/**
 * Data collaboration with its own database and provider, enabled by default; call it at the top of a test
 * file. Each test begins without messages, and with a provider that answers properly.
 */
export function collaboration(settings: Settings = {}): Collaboration {
  let t: TestDatabase;
  let chat: FakeChat;
  let context: Context;
  let api: TestApi;
  beforeAll(async () => {
    [t, chat] = [await testDatabase(16), await startChat()];
    context = contextOf(t, chat, settings);
    api = testApi(messageRoutes(context), context);
  });
  beforeEach(async () => {
    Object.assign(chat, fresh());
    await t.db.query("TRUNCATE message, chat_event, chat_channel");
  });
  afterAll(async () => {
    await context?.wakeups.close();
    await chat?.close();
    await t?.drop();
  });
  return {
    get api() {
      return api;
    },
    get chat() {
      return chat;
    },
    get context() {
      return context;
    },
    get t() {
      return t;
    },
    sender: (given = {}) => senderOf(context, chat, given),
    processor: (given = {}) => processorOf(context, chat, given),
    messages: () =>
      t.db.query<MessageRow>(
        "SELECT id, state, text, provider_id, cause, attempts FROM message ORDER BY id",
      ),
    async post(entityId, text, channel = "C1") {
      const body = { data_entity_id: entityId, channel_id: channel, text };
      const { status, json } = await api.post(
        "/api/datacollaboration/providers/chat/messages",
        body,
      );
      if (status !== 202) throw new Error(`${status}: ${JSON.stringify(json)}`);
      return json.id;
    },
  };
}

function sharedBy(context: Context, { apiUrl }: FakeChat) {
  const { metrics } = context;
  return {
    ...context,
    provider: new WebApiProvider({ apiUrl, token, metrics, timeoutMs: 500 }),
    metrics: new MessageMetrics(metrics),
    pollMs: 50,
  };
}

function senderOf(context: Context, chat: FakeChat, given: Partial<SenderOptions>) {
  const rules = { attempts: 4, waitMs: 20, longestMs: 60_000 };
  const senderOptions = { rules, intervalMs: 10, leaseMs: 3_000 };
  return messageSender({ ...sharedBy(context, chat), ...senderOptions, ...given });
}

function processorOf(context: Context, chat: FakeChat, given: { waitMs?: number }) {
  const instruments = context.metrics;
  return eventProcessor({ ...sharedBy(context, chat), instruments, waitMs: 10, ...given });
}

function contextOf(t: TestDatabase, chat: FakeChat, settings: Settings): Context {
  const datacollaboration = {
    enabled: true,
    "chat-oauth-token": token,
    "api-url": chat.apiUrl,
    ...settings,
  };
  const config = Config.parse({ instance: t.name, datacollaboration });
  return testContext(t, { config, baseUrl: () => "https://data.example/" });
}

/** What a test may have changed of the provider. */
function fresh(): Partial<FakeChat> {
  return {
    calls: [],
    messages: [],
    problems: [],
    users: new Map(),
    answer: chatAnswers.properly,
  };
}

/** Runs workers while `work` does, and fails when one crashes. */
export async function running(workers: Worker[], work: () => Promise<void>): Promise<void> {
  const crashed = new Promise<never>((_, fail) => {
    for (const worker of workers) void worker.start(fail);
  });
  try {
    await Promise.race([work(), crashed]);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}
