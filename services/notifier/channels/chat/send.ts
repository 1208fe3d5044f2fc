import type { AlertMessage, NotifiedEntity } from "#contract/notifications.ts";
import { cut, fitted } from "#kit/text.ts";
import { entityName, entityUrl, type Texts, textsIn } from "#platform/messages/texts.ts";
import {
  type Block,
  context,
  contextMax,
  divider,
  link,
  literal,
  literalLine,
  nameMax,
  section,
  sectionMax,
  sourceBlocks,
} from "#platform/chat/markup.ts";
import {
  type Channel,
  type ChannelModule,
  type HttpTarget,
  httpTarget,
  postJson,
} from "#services/notifier/channels/channel.ts";
import {
  eventSentence,
  groupedEventText,
  newestChunks,
  ownersOf,
  type Place,
} from "#services/notifier/channels/text.ts";

/** The chat provider's incoming webhook; one message at a time, since it takes about one a second. */
export function chatChannel({ target, intervalMs, baseUrl, texts }: ChatSettings): Channel {
  return {
    name: "chat",
    recipients: [target.host],
    intervalMs,
    concurrency: 1,
    send({ message }, signal) {
      const body = chatBody(message, { baseUrl: baseUrl(), texts });
      return postJson(target, JSON.stringify(body), {}, signal);
    },
    close: () => Promise.resolve(),
  };
}

interface ChatSettings {
  target: HttpTarget;
  /** Milliseconds between two messages. */
  intervalMs: number;
  /** Start of every link. */
  baseUrl: () => string;
  texts: Texts;
}

/** What the provider takes, in characters; a message longer than that is refused whole. */
const headerMax = 150;
/** Our own, so that one text leaves room for others. */
const chunkMax = 700;
const shownChunks = 3;
/** More lines never fit a section. */
const linesMax = 150;

/** Body of the chat webhook: at most 15 blocks, each within the provider's limits. */
export function chatBody(message: AlertMessage, place: Place): { blocks: Block[] } {
  const { texts } = place;
  const entity = message.data_entity;
  const event = eventSentence(message, texts, (name) => `@${literalLine(name, nameMax)}`);
  return {
    blocks: [
      header(message, texts),
      divider,
      about(message, place),
      ...(event ? [section(event)] : []),
      ...(entity ? sourceBlocks(entity.data_source_name, entity.namespace_name, texts) : []),
      ...(entity ? owners([entity]) : []),
      ...groupedEvents(message, texts),
      ...consequences(message, place),
      ...affected(message, place),
    ],
  };
}

function header({ alert_type, event_type }: AlertMessage, texts: Texts): Block {
  const resolved = event_type === "RESOLVED" || event_type === "RESOLVED_AUTOMATICALLY";
  const sign = resolved ? ":white_check_mark:" : ":exclamation:";
  const title = texts.text("alert.chatTitle", { type: texts.name(alert_type) });
  const text = cut(`${sign} ${title}`, headerMax);
  return { type: "header", text: { type: "plain_text", text, emoji: true } };
}

function about(message: AlertMessage, place: Place): Block {
  const { data_entity } = message;
  const title = data_entity
    ? entityLink(data_entity, place)
    : `*${place.texts.text("alert.unknownEntity")}*`;
  const said = newestChunks(message, shownChunks).map((text) => literal(text, chunkMax));
  return section(fitted([title, ...said], sectionMax));
}

function entityLink(entity: NotifiedEntity, { baseUrl, texts }: Place): string {
  const type = entity.type ? `*${literalLine(texts.name(entity.type), nameMax)}* ` : "";
  const name = literalLine(entityName(entity), nameMax);
  return link(entityUrl(baseUrl, entity, "overview"), `${type}*${name}*`);
}

function owners(entities: NotifiedEntity[]): Block[] {
  const names = ownersOf(entities).map(({ owner_name, title_name }) => {
    const title = title_name ? ` (${literalLine(title_name, nameMax)})` : "";
    return `@${literalLine(owner_name, nameMax)}${title}`;
  });
  return names.length > 0 ? [context(fitted(names, contextMax, { separator: ", " }))] : [];
}

function groupedEvents({ grouped_events }: AlertMessage, texts: Texts): Block[] {
  const title = `*${texts.text("alert.furtherChanges")}*`;
  return listed(title, grouped_events, (event) => groupedEventText(event, texts));
}

function consequences({ consequences }: AlertMessage, place: Place): Block[] {
  return listed(
    `*${place.texts.text("alert.consequences")}*`,
    consequences,
    (c) => `${entityLink(c.data_entity, place)}: ${place.texts.name(c.alert_type)}`,
  );
}

function affected({ downstream, downstream_truncated }: AlertMessage, place: Place): Block[] {
  const { texts } = place;
  const more = downstream_truncated ? ` ${texts.text("alert.moreThanLookedAt")}` : "";
  const title = `*${texts.text("alert.affected")}*${more}`;
  const blocks = listed(title, downstream, (entity) => entityLink(entity, place));
  return blocks.length > 0 ? [...blocks, ...owners(downstream)] : [];
}

function listed<T>(title: string, items: readonly T[], line: (item: T) => string): Block[] {
  if (items.length === 0) return [];
  const lines = [title, ...items.slice(0, linesMax).map(line)];
  return [divider, section(fitted(lines, sectionMax, { total: items.length + 1 }))];
}

export const chat: ChannelModule = {
  key: "chat.url",
  open({ config: { notifications: { receivers, delivery }, catalog }, baseUrl }) {
    const { url, interval: intervalMs } = receivers.chat;
    if (!url) return null;
    const target = httpTarget(url, delivery.timeout);
    return chatChannel({ target, intervalMs, baseUrl, texts: textsIn(catalog.language) });
  },
};
