import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { answers, type SinkAnswer, startHttpSink } from "#test/support/http/http-sink.ts";
import { type ChatCall, problemOf } from "./checked-call.ts";

/** A message that the provider has. */
export interface StoredMessage {
  channel: string;
  ts: string;
  messageId: string;
  text: string;
  // deno-lint-ignore no-explicit-any -- tests look into blocks of every shape
  blocks: any[];
}

/** One call that waits for its answer. */
export interface PendingCall {
  call: ChatCall;
  socket: Socket;
  /** Does what it asks for; what the provider says of it. */
  perform(): object;
  /** Answers with JSON. */
  say(body: object): void;
}

/** How calls are answered. */
export type AnswerFn = (waiting: PendingCall) => void;

/** A chat provider as ours is spoken to: strict in what it takes, and it remembers all of it. */
export interface FakeChat {
  /** Base address of its Web API. */
  apiUrl: string;
  token: string;
  calls: ChatCall[];
  messages: StoredMessage[];
  channels: Record<string, unknown>[];
  users: Map<string, Record<string, unknown>>;
  /** Sent in the header that tells what the token may do; null: not sent. */
  scopes: string | null;
  /** Channels on a page of the list. */
  pageSize: number;
  /** Answers from now on. */
  answer: AnswerFn;
  /** What was wrong with calls; a test expects none. */
  problems: string[];
  /** No more connections, and none kept. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

export const token = "xoxb-1-hunter2";
const properly: AnswerFn = ({ perform, say }) => say(perform());
const raw = (answer: SinkAnswer): AnswerFn => ({ socket }) => answer(socket, undefined as never);

/** Ways to answer otherwise. */
export const chatAnswers = {
  properly,
  error: (error: string): AnswerFn => ({ say }) => say({ ok: false, error }),
  status: (status: number, headers?: Record<string, string>) =>
    raw(answers.status(status, headers)),
  hangs: raw(answers.hangs),
  huge: raw(answers.hugeBody(200)),
  /** No JSON. */
  broken: raw(answers.status(200)),
  /** Does what it was asked, and breaks the connection instead of saying so. */
  doesAndBreaks: (({ perform, socket }) => {
    perform();
    socket.destroy();
  }) as AnswerFn,
};

/** Answers that way to these methods only. */
export const only = (methods: string[], answering: AnswerFn): AnswerFn => (waiting) =>
  (methods.includes(waiting.call.method) ? answering : properly)(waiting);

/** Starts a provider with two channels and nobody in it. */
export async function startChat(): Promise<FakeChat> {
  const answer: SinkAnswer = (socket, request) => {
    const { call, problem } = problemOf({ ...request, token });
    if (problem) chat.problems.push(`${request.method} ${request.path}: ${problem}`);
    if (!call) return answers.status(404)(socket, request);
    chat.calls.push(call);
    chat.answer({
      call,
      socket,
      perform: () => problem ? { ok: false, error: "invalid_arguments" } : done(chat, call),
      say: (body) => sayJson(socket, body, chat.scopes),
    });
  };
  let sink = await startHttpSink(answer);
  const port = Number(new URL(sink.url).port);
  const chat: FakeChat = {
    apiUrl: `${sink.url}/api`,
    token,
    calls: [],
    messages: [],
    channels: [
      { id: "C1", name: "general", is_member: true, is_archived: false, is_private: false },
      { id: "C2", name: "data-quality", is_member: true, is_archived: false, is_private: false },
    ],
    users: new Map(),
    scopes: "channels:read,chat:write,channels:history,users:read",
    pageSize: 1_000,
    answer: properly,
    problems: [],
    down: () => sink.close(),
    up: async () => void (sink = await startHttpSink(answer, port)),
    close: () => sink.close(),
  };
  return chat;
}

function sayJson(socket: Socket, body: object, scopes: string | null): void {
  const text = JSON.stringify(body);
  socket.write(
    "HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\n" +
      (scopes === null ? "" : `x-oauth-scopes: ${scopes}\r\n`) +
      `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

type FormFields = Record<string, string>;

function done(chat: FakeChat, { method, given }: ChatCall): object {
  switch (method) {
    case "conversations.list":
      return listed(chat, given as FormFields);
    case "conversations.info": {
      const channel = chat.channels.find(({ id }) => id === given.channel);
      return channel ? { ok: true, channel } : { ok: false, error: "channel_not_found" };
    }
    case "conversations.history": {
      const messages = chat.messages
        .filter(({ channel }) => channel === given.channel)
        .filter(({ ts }) =>
          ts >= (given as FormFields).oldest! && ts <= (given as FormFields).latest!
        )
        .map(({ ts, messageId }) => ({
          ts,
          metadata: { event_type: "tributary_message", event_payload: { message_id: messageId } },
        }));
      return { ok: true, messages: messages.reverse(), has_more: false };
    }
    case "chat.postMessage":
      return posted(chat, given);
    case "chat.getPermalink":
      return linked(chat, given as FormFields);
    default: {
      const user = chat.users.get((given as FormFields).user!);
      return user ? { ok: true, user } : { ok: false, error: "user_not_found" };
    }
  }
}

function listed({ channels, pageSize }: FakeChat, { cursor = "0" }: FormFields): object {
  const from = Number(cursor);
  const next = from + pageSize < channels.length ? String(from + pageSize) : "";
  const page = channels.slice(from, from + pageSize);
  return { ok: true, channels: page, response_metadata: { next_cursor: next } };
}

// deno-lint-ignore no-explicit-any -- as it was posted
function posted(chat: FakeChat, given: any): object {
  if (!chat.channels.some(({ id }) => id === given.channel)) {
    return { ok: false, error: "channel_not_found" };
  }
  const now = Math.floor(Date.now() / 1_000);
  const ts = `${now}.${String(chat.messages.length + 1).padStart(6, "0")}`;
  const { channel, text, blocks, metadata } = given;
  const { message_id: messageId } = metadata.event_payload;
  chat.messages.push({ channel, ts, messageId, text, blocks });
  return { ok: true, channel, ts, message: { text } };
}

function linked({ apiUrl, messages }: FakeChat, { channel, message_ts }: FormFields): object {
  const known = messages.some((one) => one.channel === channel && one.ts === message_ts);
  if (!known) return { ok: false, error: "message_not_found" };
  const permalink = new URL(`/archives/${channel}/p${message_ts!.replace(".", "")}`, apiUrl).href;
  return { ok: true, channel, permalink };
}
