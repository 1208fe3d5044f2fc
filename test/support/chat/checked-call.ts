/** A call as it came, its parameters from a form or from JSON. */
export interface ChatCall {
  method: string;
  given: Record<string, unknown>;
}

interface ReceivedCall {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  token: string;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string" && value !== "";
const isChannel: Check = (value) => typeof value === "string" && /^[CG][A-Z0-9]+$/.test(value);
const isId: Check = (value) => typeof value === "string" && /^\d{10}\.\d{6}$/.test(value);
const isFalse: Check = (value) => value === false;
const isOneOf = (...values: string[]): Check => (value) => values.includes(value as string);

/** The parameters of each method that is known; those that end with `?` may be missing. */
const methods: Record<string, { type: string; parameters: Record<string, Check> }> = {
  "conversations.list": form({
    types: isOneOf("public_channel"),
    exclude_archived: isOneOf("true"),
    limit: (value) => Number(value) >= 1 && Number(value) <= 1_000,
    "cursor?": isText,
  }),
  "conversations.info": form({ channel: isText }),
  "conversations.history": form({
    channel: isChannel,
    oldest: isId,
    latest: isId,
    include_all_metadata: isOneOf("true"),
    limit: (value) => Number(value) >= 1 && Number(value) <= 999,
    "cursor?": isText,
  }),
  "chat.getPermalink": form({ channel: isChannel, message_ts: isId }),
  "users.info": form({ user: isText }),
  "chat.postMessage": {
    type: "application/json; charset=utf-8",
    parameters: {
      channel: isChannel,
      text: isText,
      blocks: areBlocks,
      metadata: isMetadata,
      unfurl_links: isFalse,
      unfurl_media: isFalse,
    },
  },
};

function form(parameters: Record<string, Check>) {
  return { type: "application/x-www-form-urlencoded; charset=utf-8", parameters };
}

/** The provider's own limits. */
function areBlocks(value: unknown): boolean {
  if (!Array.isArray(value) || value.length < 1 || value.length > 50) return false;
  return value.every((block) => {
    const texts = block.type === "section" ? [block.text] : block.elements;
    const max = block.type === "section" ? 3_000 : 2_000;
    return ["section", "context"].includes(block.type) &&
      texts.every((text: { type: string; text: string; verbatim: boolean }) =>
        text.type === "mrkdwn" && text.verbatim && text.text.length > 0 && text.text.length <= max
      );
  });
}

function isMetadata(value: unknown): boolean {
  const { event_type, event_payload } = (value ?? {}) as Record<string, unknown>;
  return event_type === "tributary_message" && isText((event_payload as never)["message_id"]);
}

/** Reads a call; `problem` says what the provider would not take, or only by grace. */
export function problemOf(arrived: ReceivedCall): { call?: ChatCall; problem?: string } {
  const name = /^\/api\/([a-zA-Z.]+)$/.exec(arrived.path)?.[1] ?? "";
  const known = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (!known) return { problem: "no such method" };
  const json = known.type.startsWith("application/json");
  const given = json ? JSON.parse(arrived.body) : Object.fromEntries(formOf(arrived.body));
  const call = { method: name, given };
  const { headers, method, token } = arrived;
  if (method !== "POST") return { call, problem: "not POST" };
  if (headers["content-type"] !== known.type) return { call, problem: "wrong content type" };
  if (headers.authorization !== `Bearer ${token}`) return { call, problem: "wrong token" };
  if (arrived.body.includes(token)) return { call, problem: "the token is in the body" };
  return { call, problem: lackOf(known.parameters, given) };
}

const formOf = (body: string) => {
  const form = new URLSearchParams(body);
  if (new Set(form.keys()).size !== form.size) throw new Error("a parameter is given twice");
  return form;
};

function lackOf(parameters: Record<string, Check>, given: Record<string, unknown>) {
  const wanted = new Map(Object.entries(parameters));
  for (const [name, value] of Object.entries(given)) {
    const check = wanted.get(name) ?? wanted.get(`${name}?`);
    if (!check) return `unknown parameter ${name}`;
    if (!check(value)) return `${name} is ${JSON.stringify(value).slice(0, 200)}`;
  }
  return [...wanted.keys()].filter((name) => !name.endsWith("?"))
    .filter((name) => !(name in given)).map((name) => `${name} is missing`)[0];
}
