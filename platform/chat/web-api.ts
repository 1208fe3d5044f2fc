import {
  type CallOptions,
  type Channel,
  ChannelInfo,
  ChannelPage,
  History,
  Permalink,
  Posted,
  UserInfo,
  WebApi,
} from "./call.ts";
import { type ChatChannel, type ChatPost, type ChatProvider, ProviderFailure } from "./port.ts";
import { bounded } from "#kit/text.ts";
import type { Context } from "#platform/context.ts";

/** Maximum number of channels that are listed; others are found by their id. */
export const maxListedChannels = 10_000;
const channelsOfPage = 1_000;
/** Maximum number of pages of a channel's messages in which one of our messages is searched. */
const historyPages = 5;
const messagesOfPage = 200;

/** Type of what is stored with our messages at the provider. */
const metadataType = "tributary_message";
/** The scope with which a bot writes to public channels that it is no member of. */
const writesAnywhere = "chat:write.public";

/** The provider that is configured; it is not contacted yet. */
export function chatProvider(
  { config, metrics }: Pick<Context, "config" | "metrics">,
): ChatProvider {
  const { "api-url": apiUrl, "chat-oauth-token": token = "" } = config.datacollaboration;
  return new WebApiProvider({ apiUrl, token, metrics });
}

/** The provider behind its Web API. Every method names what it needs in docs/use/collaboration.md. */
export class WebApiProvider implements ChatProvider {
  readonly #api: WebApi;

  constructor(options: CallOptions) {
    this.#api = new WebApi(options);
  }

  async channels(signal?: AbortSignal): Promise<ChatChannel[]> {
    const found: ChatChannel[] = [];
    for (let cursor = "", pages = maxListedChannels / channelsOfPage; pages > 0; pages--) {
      const { answer, scopes } = await this.#api.call({
        method: "conversations.list",
        form: {
          types: "public_channel",
          exclude_archived: "true",
          limit: String(channelsOfPage),
          ...(cursor ? { cursor } : {}),
        },
        answer: ChannelPage,
        signal,
      });
      found.push(...answer.channels.flatMap((one) => shown(one, scopes) ?? []));
      cursor = answer.response_metadata?.next_cursor ?? "";
      if (cursor === "") break;
    }
    return found.filter(({ open }) => open);
  }

  async channel(id: string): Promise<ChatChannel | null> {
    const request = { method: "conversations.info", form: { channel: id }, answer: ChannelInfo };
    const response = await unless(["channel_not_found"], () => this.#api.call(request));
    return response && shown(response.answer.channel, response.scopes);
  }

  async post({ channelId, messageId, text, blocks }: ChatPost, signal: AbortSignal) {
    const json = {
      channel: channelId,
      text,
      blocks,
      metadata: { event_type: metadataType, event_payload: { message_id: messageId } },
      unfurl_links: false,
      unfurl_media: false,
    };
    const { answer } = await this.#api.call({
      method: "chat.postMessage",
      json,
      answer: Posted,
      signal,
    });
    return answer.ts;
  }

  async posted(
    { channelId, messageId }: Pick<ChatPost, "channelId" | "messageId">,
    { since, until }: { since: Date; until: Date },
    signal: AbortSignal,
  ): Promise<string | null> {
    for (let cursor = "", pages = historyPages; pages > 0; pages--) {
      const { answer } = await this.#api.call({
        method: "conversations.history",
        form: {
          channel: channelId,
          oldest: secondsOf(since),
          latest: secondsOf(until),
          include_all_metadata: "true",
          limit: String(messagesOfPage),
          ...(cursor ? { cursor } : {}),
        },
        answer: History,
        signal,
      });
      const ours = answer.messages.find(({ metadata }) =>
        metadata?.event_type === metadataType && metadata.event_payload.message_id === messageId
      );
      if (ours) return ours.ts;
      cursor = answer.response_metadata?.next_cursor ?? "";
      if (cursor === "") break;
    }
    return null;
  }

  async permalink(channelId: string, id: string): Promise<string | null> {
    const form = { channel: channelId, message_ts: id };
    const request = { method: "chat.getPermalink", form, answer: Permalink };
    const gone = ["message_not_found", "channel_not_found"];
    return (await unless(gone, () => this.#api.call(request)))?.answer.permalink ?? null;
  }

  async profile(userId: string) {
    const request = { method: "users.info", form: { user: userId }, answer: UserInfo };
    const hidden = ["user_not_found", "user_not_visible", "missing_scope", "users_not_found"];
    const response = await unless(hidden, () => this.#api.call(request));
    if (!response) return null;
    const { name, real_name, profile = {} } = response.answer.user;
    const named = [profile.display_name, profile.real_name, real_name, name];
    const best = named.find((one) => one !== undefined && one.trim() !== "");
    return {
      name: best === undefined ? null : bounded(best.trim(), maxNameLength),
      avatar: pictureOf(profile.image_72),
    };
  }
}

const secondsOf = (at: Date) => (at.getTime() / 1_000).toFixed(6);

const maxNameLength = 255;

function shown(channel: Channel, scopes: readonly string[] | null): ChatChannel | null {
  const { id, name, is_archived, is_member, is_private } = channel;
  // Direct messages have no name.
  if (name === undefined || name === "") return null;
  const invited = is_member ?? true;
  const open = is_archived !== true &&
    (invited || !is_private && (scopes?.includes(writesAnywhere) ?? false));
  return { id, name: bounded(name, maxNameLength), open };
}

function pictureOf(address: string | undefined): string | null {
  const url = URL.parse(address ?? "");
  return url?.protocol === "https:" && url.href.length <= 2_000 ? url.href : null;
}

/** The response; null when the provider rejects it with one of these error codes. */
async function unless<T>(codes: string[], ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderFailure && error.is(codes)) return null;
    throw error;
  }
}
