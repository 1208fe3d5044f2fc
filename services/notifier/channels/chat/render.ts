import { alertTypeTexts } from "#contract/alerts.ts";
import type { AlertMessage, NotifiedEntity } from "#contract/notifications.ts";
import {
  type Block,
  context,
  contextMax,
  divider,
  section,
  sectionMax,
} from "#platform/outbound/blocks.ts";
import { link, literal, literalLine } from "#platform/outbound/markup.ts";
import { cut, fitted } from "#kit/shown-text.ts";
import { entityName, entityTypeText, entityUrl } from "#platform/outbound/entity-text.ts";
import {
  eventSentence,
  groupedEventText,
  newestChunks,
  ownersOf,
} from "#services/notifier/channels/text.ts";

/** What the provider takes, in characters; a message longer than that is refused whole. */
const headerMax = 150;
/** Our own, so that one name or text leaves room for others. */
const nameMax = 200;
const chunkMax = 700;
const shownChunks = 3;
/** More lines never fit a section. */
const linesMax = 150;

/** Body of the chat webhook: at most 15 blocks, each within the provider's limits. */
export function chatBody(message: AlertMessage, baseUrl: string): { blocks: Block[] } {
  const event = eventSentence(message, (name) => `@${literalLine(name, nameMax)}`);
  return {
    blocks: [
      header(message),
      divider,
      about(message, baseUrl),
      ...(event ? [section(event)] : []),
      ...(message.data_entity ? placeOf(message.data_entity) : []),
      ...(message.data_entity ? owners([message.data_entity]) : []),
      ...groupedEvents(message),
      ...consequences(message, baseUrl),
      ...affected(message, baseUrl),
    ],
  };
}

function header({ alert_type, event_type }: AlertMessage): Block {
  const resolved = event_type === "RESOLVED" || event_type === "RESOLVED_AUTOMATICALLY";
  const sign = resolved ? ":white_check_mark:" : ":exclamation:";
  const text = cut(`${sign} Alert: ${alertTypeTexts[alert_type]}`, headerMax);
  return { type: "header", text: { type: "plain_text", text, emoji: true } };
}

function about(message: AlertMessage, baseUrl: string): Block {
  const { data_entity } = message;
  const title = data_entity ? entityLink(data_entity, baseUrl) : "*Unknown entity*";
  const said = newestChunks(message, shownChunks).map((text) => literal(text, chunkMax));
  return section(fitted([title, ...said], sectionMax));
}

function entityLink(entity: NotifiedEntity, baseUrl: string): string {
  const type = entity.type ? `*${literalLine(entityTypeText(entity.type), nameMax)}* ` : "";
  const name = literalLine(entityName(entity), nameMax);
  return link(entityUrl(baseUrl, entity, "overview"), `${type}*${name}*`);
}

function placeOf({ data_source_name, namespace_name }: NotifiedEntity): Block[] {
  const parts = [
    ...(data_source_name ? [`Data Source: ${literalLine(data_source_name, nameMax)}`] : []),
    ...(namespace_name ? [`Namespace: ${literalLine(namespace_name, nameMax)}`] : []),
  ];
  return parts.length > 0 ? [context(parts.join(", "))] : [];
}

function owners(entities: NotifiedEntity[]): Block[] {
  const names = ownersOf(entities).map(({ owner_name, title_name }) => {
    const title = title_name ? ` (${literalLine(title_name, nameMax)})` : "";
    return `@${literalLine(owner_name, nameMax)}${title}`;
  });
  return names.length > 0 ? [context(fitted(names, contextMax, { separator: ", " }))] : [];
}

function groupedEvents({ grouped_events }: AlertMessage): Block[] {
  return listed("*Further changes*", grouped_events, (event) => groupedEventText(event));
}

function consequences({ consequences }: AlertMessage, baseUrl: string): Block[] {
  return listed(
    "*Consequences downstream*",
    consequences,
    (c) => `${entityLink(c.data_entity, baseUrl)}: ${alertTypeTexts[c.alert_type]}`,
  );
}

function affected({ downstream, downstream_truncated }: AlertMessage, baseUrl: string): Block[] {
  const title = downstream_truncated
    ? "*Affected data entities* (there are more than were looked at)"
    : "*Affected data entities*";
  const blocks = listed(title, downstream, (entity) => entityLink(entity, baseUrl));
  return blocks.length > 0 ? [...blocks, ...owners(downstream)] : [];
}

function listed<T>(title: string, items: readonly T[], line: (item: T) => string): Block[] {
  if (items.length === 0) return [];
  const lines = [title, ...items.slice(0, linesMax).map(line)];
  return [divider, section(fitted(lines, sectionMax, { total: items.length + 1 }))];
}
