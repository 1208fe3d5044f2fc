import type { Channel } from "#services/notifier/channels/channel.ts";
import type { ChannelLab, ChannelSubject } from "#test/conformance/channel.ts";
import {
  answers,
  type HttpSink,
  type SinkAnswer,
  startHttpSink,
} from "#test/support/http/http-sink.ts";

/** What an address may hold that nobody shall see. */
export const secretUrl = {
  userInfo: "user:p%40ss-w0rd@",
  path: "/services/T000/B000/path-s3cret?token=query-s3cret",
};

type OpenChannel = (url: string, timeoutMs: number) => Channel;

/** The table that holds for every channel over HTTP; `open` makes the channel for an address. */
export function httpSubject(
  open: OpenChannel,
  received: (sink: HttpSink) => { id: string | null; shown: string }[],
): Omit<ChannelSubject, "name" | "unescaped"> {
  const lab = async (answer?: SinkAnswer, timeoutMs = 15_000) => {
    const sink = await startHttpSink(answer);
    const address = sink.url.replace("//", `//${secretUrl.userInfo}`) + secretUrl.path;
    const channel = open(address, timeoutMs);
    const close = async () => {
      await channel.close();
      await sink.close();
    };
    return { channel, received: () => Promise.resolve(received(sink)), close };
  };
  const nobody = async () => {
    const gone = await lab();
    await gone.close();
    return gone;
  };
  return {
    secrets: ["p%40ss", "p@ss", "path-s3cret", "query-s3cret", "/services", "hunter2"],
    accepting: () => lab(),
    silent: (timeoutMs) => lab(answers.hangs, timeoutMs),
    table: [...statusTable(lab), ...brokenTable(lab, nobody)],
  };
}

type OpenLab = (answer?: SinkAnswer, timeoutMs?: number) => Promise<ChannelLab>;

const later = (code: number) => ({ kind: "retry", status: code, pausesChannel: true } as const);

function statusTable(lab: OpenLab): ChannelSubject["table"] {
  const status = (code: number, headers?: Record<string, string>) => () =>
    lab(answers.status(code, headers));
  const inTwoHours = new Date(Date.now() + 7_200_000).toUTCString();
  return [
    ["200 is delivered", status(200), { kind: "delivered", status: 200 }],
    ["204 is delivered", status(204), { kind: "delivered", status: 204 }],
    ["301 is refused and not followed", status(301, { location: "/" }), { kind: "refused" }],
    ["307 is refused and not followed", status(307, { location: "/" }), { kind: "refused" }],
    ["400 is refused", status(400), { kind: "refused", status: 400 }],
    ["404 is refused", status(404), { kind: "refused", status: 404 }],
    ["410 is refused", status(410), { kind: "refused", status: 410 }],
    ["408 is tried again", status(408), { kind: "retry", pausesChannel: false }],
    ["429 pauses the channel", status(429), later(429)],
    [
      "429 says when to come again, in seconds",
      status(429, { "retry-after": "7" }),
      { ...later(429), afterMs: 7_000 },
    ],
    [
      "503 says when to come again, by a date, and is believed for an hour",
      status(503, { "retry-after": inTwoHours }),
      { ...later(503), afterMs: 3_600_000 },
    ],
    ["500 pauses the channel", status(500), later(500)],
    ["502 pauses the channel", status(502), later(502)],
  ];
}

function brokenTable(lab: OpenLab, nobody: () => Promise<ChannelLab>): ChannelSubject["table"] {
  return [
    ["a reset pauses the channel", () => lab(answers.reset), {
      kind: "retry",
      pausesChannel: true,
      cause: "the connection broke",
    }],
    ["nobody there pauses the channel", nobody, {
      kind: "retry",
      pausesChannel: true,
      cause: "the connection is refused",
    }],
    ["no answer in time pauses the channel", () => lab(answers.hangs, 200), {
      kind: "retry",
      pausesChannel: true,
      cause: "no answer within 200 ms",
    }],
    ["200 with a body that never ends is delivered", () => lab(answers.slowBody(200)), {
      kind: "delivered",
    }],
    ["500 with a body that never ends pauses", () => lab(answers.slowBody(500)), later(500)],
    ["200 with a huge body is delivered", () => lab(answers.hugeBody(200)), {
      kind: "delivered",
    }],
    ["400 with a huge body is refused", () => lab(answers.hugeBody(400)), { kind: "refused" }],
  ];
}
