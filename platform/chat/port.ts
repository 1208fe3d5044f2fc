import type { Block } from "#platform/outbound/markup.ts";

/** A channel of the provider that messages may be sent to. */
export interface ChatChannel {
  id: string;
  name: string;
  /** False when the provider says that nothing can be written to it. */
  open: boolean;
}

/** Somebody who writes at the provider. */
export interface ChatProfile {
  name: string | null;
  /** Address of a picture. */
  avatar: string | null;
}

/** A message as the provider takes it. */
export interface ChatPost {
  channelId: string;
  /** Our id of it, kept with the message at the provider, where nobody sees it. */
  messageId: string;
  /** Shown where the blocks cannot be. */
  text: string;
  blocks: Block[];
}

/**
 * The chat provider. Messages are named by channel and by an id of the provider (seconds with six decimals). Every
 * call ends within a time, and rejects with a `ProviderFailure`.
 */
export interface ChatProvider {
  /** Channels that can be written to, at most `maxListedChannels`. */
  channels(signal?: AbortSignal): Promise<ChatChannel[]>;
  /** One channel; null for an unknown one. */
  channel(id: string): Promise<ChatChannel | null>;
  /** Posts a message; its id. */
  post(post: ChatPost, signal: AbortSignal): Promise<string>;
  /** The id of a message that was posted in a period, by our id; null when there is none. */
  posted(
    post: Pick<ChatPost, "channelId" | "messageId">,
    period: { since: Date; until: Date },
    signal: AbortSignal,
  ): Promise<string | null>;
  /** Address of a message's page, not checked; null when the provider does not know the message. */
  permalink(channelId: string, id: string): Promise<string | null>;
  /** Null for a user whom the provider does not know, or does not show. */
  profile(userId: string): Promise<ChatProfile | null>;
}
