import type { Actor } from "#contract/actor.ts";
import { maxChannelId, maxMessageText, type MessageRequest } from "#contract/catalogue/messages.ts";
import { badRequest, messageOf, notFound, unavailable } from "#kit/errors.ts";
import { uuidv7 } from "#kit/ids.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { ShortCache } from "#kit/short-cache.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { countAlone, lockEntity } from "#metadata/catalogue/entities.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { answerMs, maxAnswerBytes } from "#platform/chat/call.ts";
import {
  asUnavailable,
  type ChatChannel,
  ChatEventCounter,
  type ChatProvider,
  ProviderFailure,
} from "#platform/chat/port.ts";
import { chatProvider, maxListedChannels } from "#platform/chat/web-api.ts";
import type { JsonRow } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { foundJson } from "#services/api/list-json.ts";
import {
  eventBodyMs,
  EventIntake,
  eventLimits,
  eventQueue,
  maxEventBody,
  maxEvents,
  maxReplyText,
} from "./events/intake.ts";
import * as queries from "./queries.ts";

/** Maximum number of messages that wait to be sent. */
const maxPending = 10_000;
/** Maximum number of channels of an entity in one answer. */
const maxEntityChannels = 100;

type Deps = Pick<Context, "db" | "baseUrl" | "clock">;

/** Start of links, without slashes at its end. */
const baseOf = ({ baseUrl }: Pick<Context, "baseUrl">) => baseUrl().replace(/(?<!\/)\/+$/, "");

export interface Page {
  size: number;
  /** Id of the last message of the page before. */
  last_message_id?: string;
}

/** One page of the threads of an entity, the newest first; MessageList as JSON text. Throws 404. */
export async function threads(
  deps: Deps,
  entityId: number,
  page: Page & { channel_id?: string },
) {
  const { size, last_message_id: after = null, channel_id = null } = page;
  const values = [baseOf(deps), size, after, entityId, channel_id];
  const rows = await deps.db.query<JsonRow>(queries.threadsOf, values);
  return foundJson(rows, "Data entity", entityId);
}

/** One page of the replies to a message, in their order; MessageList as JSON text. Throws 404. */
export async function replies(deps: Deps, entityId: number, messageId: string, page: Page) {
  const { size, last_message_id: after = null } = page;
  const values = [baseOf(deps), size, after, entityId, messageId];
  return foundJson(await deps.db.query(queries.repliesTo, values), "Message", messageId);
}

/**
 * The channels with the most messages about an entity, of those whose name begins with `prefix`; MessageChannelList as
 * JSON text. Throws 404.
 */
export async function entityChannels({ db }: Deps, entityId: number, prefix = "") {
  const rows = await db.query(queries.channelsOf, [entityId, prefix, maxEntityChannels]);
  return foundJson(rows, "Data entity", entityId);
}

/**
 * Puts a message into the queue; Message as JSON text. Throws 404 for an unknown entity or channel, 400 for a channel
 * that nothing can be written to, and 503 when the provider does not answer or too many messages wait.
 */
export async function post(
  deps: Deps & { channels: Channels },
  actor: Actor,
  { data_entity_id: entityId, channel_id, text }: MessageRequest,
): Promise<string> {
  const { db, clock, channels } = deps;
  const known = await db.query(queries.knownEntity, [entityId]);
  if (known.length === 0) throw notFound("Data entity", entityId);
  await refuseMore(db);
  const { id: channelId, name } = await channels.require(channel_id);
  const now = clock.now();
  return await changing(deps, actor, async ({ tx }) => {
    await lockEntity(tx, entityId);
    await countAlone(tx, "messages that wait");
    await refuseMore(tx);
    const message = [uuidv7(now), entityId, channelId, name, text, actor.name, actor.provider];
    const [made] = await tx.query(queries.insert, [baseOf(deps), ...message, new Date(now)]);
    // Wakes the sender once the transaction is committed.
    await tx.query("SELECT pg_notify('message_sending', '')");
    return made!.json;
  });
}

async function refuseMore(db: Queryable): Promise<void> {
  const [queue] = await db.query(queries.queueFull, [maxPending]);
  if (queue!.full) {
    throw unavailable("Too many messages wait to be sent", 30);
  }
}

/**
 * The address of a message's page at the provider. Throws 404 for an unknown message, and for one that the provider
 * has not, and 503 when it does not answer.
 */
export async function pageOf(
  deps: Pick<Context, "db" | "config" | "log"> & { provider: ChatProvider },
  id: string,
): Promise<string> {
  const { db, config, log, provider } = deps;
  const [place] = await db.query(queries.placeOf, [id]);
  if (!place?.provider_id) throw notFound(place ? "A page of message" : "Message", id);
  if (place.permalink !== null) return place.permalink;
  const { channel_id, provider_id } = place;
  const link = await provider.permalink(channel_id, provider_id).catch((error) => {
    log.warn("permalink of a message cannot be requested", { cause: messageOf(error) });
    throw asUnavailable(error);
  });
  if (link === null) throw notFound("A page of message", id);
  if (!isPageOf(config.datacollaboration["api-url"], link)) {
    log.warn("provider returned a permalink on another host", { message: id });
    throw notFound("A page of message", id);
  }
  // As validated: without characters that are invalid in headers, and nothing that means another address elsewhere.
  const page = new URL(link).href;
  await db.query(queries.keepPermalink, [id, page]);
  return page;
}

/** Where pages of the provider are when its API is reached by another address. */
const ownHost = "slack.com";

/**
 * Whether an address is a page of the provider: at the host of its API, at that of the provider itself, or below one of
 * them. So nobody is sent elsewhere, whatever the API answers.
 */
export function isPageOf(apiUrl: string, page: string): boolean {
  const [api, url] = [URL.parse(apiUrl), URL.parse(page)];
  if (!api || !url || url.username !== "" || url.password !== "") return false;
  const within = (host: string) => url.hostname === host || url.hostname.endsWith(`.${host}`);
  // Without TLS only if the API is called so, at the same address.
  if (url.protocol === "http:") return api.protocol === "http:" && url.host === api.host;
  return url.protocol === "https:" && (within(api.hostname) || within(ownHost));
}

/** Why the operations answer 404; undefined when data collaboration is on. */
export function collaborationOff({ config }: Pick<Context, "config">): string | undefined {
  return config.datacollaboration.enabled
    ? undefined
    : "Data collaboration is off (datacollaboration.enabled)";
}

/** What the operations need while data collaboration is on. */
interface Collaboration {
  provider: ChatProvider;
  channels: Channels;
  intake: EventIntake;
}

/** Opens what the operations need; the provider is not contacted yet. */
export function collaborationOn(
  context: Context,
  provider: ChatProvider = chatProvider(context),
): Collaboration {
  warnOfForgedEvents(context);
  return {
    provider,
    channels: new Channels(context, provider),
    intake: new EventIntake(context, new ChatEventCounter(context.metrics)),
  };
}

function warnOfForgedEvents({ config: { datacollaboration }, log }: Context): void {
  if (!datacollaboration.enabled || datacollaboration["signing-secret"] !== undefined) return;
  log.warn(
    "anybody can forge events of the chat provider: set datacollaboration.signing-secret, or put a proxy " +
      "that verifies signatures before /api/chat/events",
  );
}

/** Milliseconds that the list of channels, and a channel that was looked up, are stored. */
const channelsMs = 60_000;
/** Maximum number of channels in one answer; a longer beginning of the name finds the others. */
const maxShownChannels = 1_000;
/** Channels that are stored by their id. */
const maxLookups = 1_000;

type ChannelDeps = Pick<Context, "clock" | "metrics" | "log">;

/** The channels of the provider that messages can be sent to; looked up at most once a minute. */
export class Channels {
  readonly #lists: ShortCache<ChatChannel[]>;
  readonly #single: ShortCache<ChatChannel | null>;

  constructor(private readonly deps: ChannelDeps, private readonly provider: ChatProvider) {
    const { clock, metrics } = deps;
    const cacheOptions = { ttlMs: channelsMs, clock, metrics };
    this.#lists = new ShortCache({ ...cacheOptions, name: "chat-channels", maxEntries: 1 });
    this.#single = new ShortCache({
      ...cacheOptions,
      name: "chat-channel",
      maxEntries: maxLookups,
    });
  }

  /** MessageChannelList: those whose name begins with the prefix, in any case, by name. Throws 503. */
  async list(prefix = "") {
    const wanted = prefix.toLowerCase();
    const all = await this.#request(() => this.#lists.get("all", () => this.#sorted()));
    const found = all.filter(({ name }) => name.toLowerCase().startsWith(wanted));
    return {
      items: found.slice(0, maxShownChannels).map(({ id, name }) => ({ channel_id: id, name })),
    };
  }

  /** The channel with this id. Throws 404, 400 for one that nothing can be written to, and 503. */
  async require(id: string): Promise<ChatChannel> {
    const channel = await this.#request(() => this.#known(id));
    if (!channel) throw notFound("Channel", id);
    if (channel.open) return channel;
    throw badRequest(`Nothing can be written to the channel ${channel.name}`, [{
      field: "channel_id",
      message: "must be a channel that is not archived and to which the app was invited",
    }]);
  }

  async #known(id: string): Promise<ChatChannel | null> {
    const listed = await this.#lists.peek("all")?.catch(() => undefined);
    const found = listed?.find((channel) => channel.id === id);
    return found ?? await this.#single.get(id, () => this.provider.channel(id));
  }

  async #sorted(): Promise<ChatChannel[]> {
    const channels = await this.provider.channels();
    return channels.sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
  }

  async #request<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof ProviderFailure) {
        this.deps.log.warn("channels cannot be looked up", { cause: messageOf(error) });
      }
      throw asUnavailable(error);
    }
  }
}
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const sent = "messages";
const received = "POST /api/chat/events";
const answers = "answers of the chat provider";

/** Limits of data collaboration. */
export const messageLimits: Limit[] = [
  limit(sent, "text, UTF-16 units", maxMessageText),
  limit(sent, "id of the channel, UTF-16 units", maxChannelId),
  limit(sent, "messages that wait to be sent", maxPending, "503 with Retry-After"),
  limit(sent, "channels in one answer", maxShownChannels, "the first by name"),
  limit(sent, "channels of an entity in one answer", maxEntityChannels, "those most used"),
  limit(received, "body, bytes", maxEventBody, "413"),
  limit(received, "time to receive the body, ms", eventBodyMs, "408"),
  limit(received, "read at once", eventQueue.concurrency, "they wait"),
  limit(received, "of one network read at once", eventQueue.concurrencyPerKey, "they wait"),
  limit(received, "waiting", eventQueue.maxWaiting, "503 with Retry-After"),
  limit(received, "of one network waiting", eventQueue.maxWaitingPerKey, "429 with Retry-After"),
  limit(received, "wait, ms", eventQueue.waitMs, "503 or 429 with Retry-After"),
  limit(received, "objects and arrays", eventLimits.containers),
  limit(received, "members of objects", eventLimits.members),
  limit(received, "events that wait or failed", maxEvents, "503 with Retry-After"),
  limit(received, "text of a reply, UTF-16 units", maxReplyText, "it is cut"),
  limit(answers, "one answer, bytes", maxAnswerBytes, "treated as no response"),
  limit(answers, "time of one response, ms", answerMs, "treated as no response"),
  limit(answers, "channels", maxListedChannels, "the others are found by id only"),
];
