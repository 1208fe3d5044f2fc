import { badRequest, messageOf, notFound } from "#kit/errors.ts";
import { ShortCache } from "#kit/short-cache.ts";
import type { Context } from "#platform/context.ts";
import { asUnavailable, ProviderFailure } from "#platform/chat/failure.ts";
import type { ChatChannel, ChatProvider } from "#platform/chat/port.ts";

/** Milliseconds that the list of channels, and a channel that was looked up, are stored. */
const channelsMs = 60_000;
/** Maximum number of channels in one answer; a longer beginning of the name finds the others. */
export const maxShownChannels = 1_000;
/** Channels that are stored by their id. */
const maxLookups = 1_000;

type Deps = Pick<Context, "clock" | "metrics" | "log">;

/** The channels of the provider that messages can be sent to; looked up at most once a minute. */
export class Channels {
  readonly #lists: ShortCache<ChatChannel[]>;
  readonly #single: ShortCache<ChatChannel | null>;

  constructor(private readonly deps: Deps, private readonly provider: ChatProvider) {
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
    const wanted = folded(prefix);
    const all = await this.#request(() => this.#lists.get("all", () => this.#sorted()));
    const found = all.filter(({ name }) => folded(name).startsWith(wanted));
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

const folded = (text: string) => text.toLowerCase();
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
