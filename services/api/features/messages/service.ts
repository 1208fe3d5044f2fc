import type { Actor } from "#contract/actor.ts";
import type { MessageRequest } from "#contract/catalogue/messages.ts";
import { messageOf, notFound, unavailable } from "#kit/errors.ts";
import { uuidv7 } from "#kit/ids.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { countAlone } from "#metadata/catalogue/counted.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import { Channels } from "./channels.ts";
import { asUnavailable } from "#platform/chat/failure.ts";
import type { ChatProvider } from "#platform/chat/port.ts";
import * as queries from "./queries.ts";
import { EventIntake } from "./events/intake.ts";
import { ChatEventCounter } from "#platform/chat/metrics.ts";
import { chatProvider } from "#platform/chat/web-api.ts";

/** Maximum number of messages that wait to be sent. */
export const maxPending = 10_000;
/** Maximum number of channels of an entity in one answer. */
export const maxEntityChannels = 100;

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
  const { size, last_message_id: after, channel_id: channelId } = page;
  const query = { size, after, channelId, baseUrl: baseOf(deps) };
  const json = await queries.threadsOf(deps.db, entityId, query);
  if (json === undefined) throw notFound("Data entity", entityId);
  return json;
}

/** One page of the replies to a message, in their order; MessageList as JSON text. Throws 404. */
export async function replies(deps: Deps, entityId: number, messageId: string, page: Page) {
  const { size, last_message_id: after } = page;
  const query = { size, after, baseUrl: baseOf(deps) };
  const json = await queries.repliesTo(deps.db, entityId, messageId, query);
  if (json === undefined) throw notFound("Message", messageId);
  return json;
}

/**
 * The channels with the most messages about an entity, of those whose name begins with `prefix`; MessageChannelList as
 * JSON text. Throws 404.
 */
export async function entityChannels({ db }: Deps, entityId: number, prefix = "") {
  const json = await queries.channelsOf(db, entityId, prefix, maxEntityChannels);
  if (json === undefined) throw notFound("Data entity", entityId);
  return json;
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
  if (!await queries.isEntity(db, entityId)) throw notFound("Data entity", entityId);
  await refuseMore(db);
  const channel = await channels.require(channel_id);
  const now = clock.now();
  return await changing(deps, actor, async ({ tx }) => {
    await lockEntity(tx, entityId);
    await countAlone(tx, "messages that wait");
    await refuseMore(tx);
    const message = { entityId, channel, text, author: actor };
    const made = { ...message, id: uuidv7(now), createdAt: new Date(now) };
    const json = await queries.insertMessage(tx, made, baseOf(deps));
    await queries.wakeSender(tx);
    return json;
  });
}

async function refuseMore(db: Queryable): Promise<void> {
  if (await queries.isFull(db, maxPending)) {
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
  const place = await queries.placeOf(db, id);
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
  await queries.keepPermalink(db, id, page);
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
