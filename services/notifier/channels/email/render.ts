import { alertTypeTexts } from "#contract/alerts.ts";
import type { AlertMessage, NotifiedEntity } from "#contract/notifications.ts";
import { type Html, markup } from "#services/notifier/channels/email/html.ts";
import { clean, cut } from "#kit/shown-text.ts";
import { entityName, entityTypeText, entityUrl } from "#platform/outbound/entity-text.ts";
import {
  eventSentence,
  groupedEventText,
  newestChunks,
  ownersOf,
} from "#services/notifier/channels/text.ts";

/** Lines of one list and characters of one text; the page that is linked has the rest. */
const listMax = 100;
const chunksMax = 20;
const chunkMax = 4_000;
const nameMax = 300;
const ownersMax = 1_000;

export interface Mail {
  subject: string;
  text: string;
  html: string;
}

interface Line {
  text: string;
  url?: string;
}
/** The parts of a mail, before they become HTML and plain text. */
interface Content {
  facts: [label: string, value: Line][];
  event: string | null;
  said: string[];
  lists: [title: string, lines: Line[]][];
}

/** Subject, HTML and plain text of one message. */
export function renderMail(message: AlertMessage, baseUrl: string): Mail {
  const content = contentOf(message, baseUrl);
  const title = alertTypeTexts[message.alert_type];
  return {
    subject: `Tributary - ${message.alert_type} Alert`,
    text: asText(title, content),
    html: asHtml(title, content).text,
  };
}

const name = (text: string) => cut(clean(text).replaceAll(/\s+/g, " ").trim(), nameMax);

function contentOf(message: AlertMessage, baseUrl: string): Content {
  const { data_entity: entity, consequences, downstream } = message;
  const line = (e: NotifiedEntity, more = "") => ({
    text: `${described(e)}${more}`,
    url: entityUrl(baseUrl, e, "alerts"),
  });
  const owned = (e: NotifiedEntity) => (e.owners.length > 0 ? `, owned by ${ownersText(e)}` : "");
  const more = message.downstream_truncated ? " (there are more than were looked at)" : "";
  return {
    facts: [
      ["Alert", { text: `${alertTypeTexts[message.alert_type]} (${message.alert_type})` }],
      ["Data entity", entity ? line(entity) : { text: "Unknown entity" }],
      ...placeOf(entity),
      ["Time", { text: message.event_at }],
    ],
    event: eventSentence(message, name),
    said: newestChunks(message, chunksMax).map((text) => cut(clean(text), chunkMax)),
    lists: [
      ["Further changes", message.grouped_events.map((e) => ({ text: groupedEventText(e) }))],
      [
        "Consequences downstream",
        consequences.map((c) => line(c.data_entity, `: ${alertTypeTexts[c.alert_type]}`)),
      ],
      [`Affected data entities${more}`, downstream.map((e) => line(e, owned(e)))],
    ],
  };
}

function described(entity: NotifiedEntity): string {
  const type = entity.type ? `${entityTypeText(entity.type)} ` : "";
  return `${type}${name(entityName(entity))} (id ${entity.id})`;
}

function placeOf(entity: NotifiedEntity | null): [string, Line][] {
  if (!entity) return [];
  const facts: [string, string | null][] = [
    ["Data source", entity.data_source_name && name(entity.data_source_name)],
    ["Namespace", entity.namespace_name && name(entity.namespace_name)],
    ["Owners", ownersText(entity)],
  ];
  return facts.flatMap(([label, text]) => (text ? [[label, { text }]] : []));
}

function ownersText(entity: NotifiedEntity): string {
  const names = ownersOf([entity]).slice(0, listMax).map(({ owner_name, title_name }) =>
    title_name ? `${name(owner_name)} (${name(title_name)})` : name(owner_name)
  );
  return cut(names.join(", "), ownersMax);
}

const leftOut = (lines: unknown[]) =>
  lines.length > listMax ? `… and ${lines.length - listMax} more` : null;

function asText(title: string, { facts, event, said, lists }: Content): string {
  const shown = ({ text, url }: Line) => (url ? `${text}\n  ${url}` : text);
  const parts = [
    title,
    event,
    facts.map(([label, value]) => `${label}: ${shown(value)}`).join("\n"),
    ...said,
    ...lists.filter(([, lines]) => lines.length > 0).map(([label, lines]) =>
      [
        label,
        ...lines.slice(0, listMax).map((line) => `- ${shown(line)}`),
        leftOut(lines) ?? "",
      ].join("\n").trimEnd()
    ),
  ];
  return `${parts.filter((part) => part !== null).join("\n\n")}\n`;
}

function asHtml(title: string, { facts, event, said, lists }: Content): Html {
  const shown = ({ text, url }: Line) =>
    url ? markup`<a href="${url}">${text}</a>` : markup`${text}`;
  const rows = facts.map(([label, value]) =>
    markup`<tr><th align="left">${label}</th><td>${shown(value)}</td></tr>\n`
  );
  const list = ([label, lines]: [string, Line[]]) => {
    const items = lines.slice(0, listMax).map((line) => markup`<li>${shown(line)}</li>\n`);
    const left = leftOut(lines);
    return markup`<h3>${label}</h3>\n<ul>\n${items}</ul>\n${left && markup`<p>${left}</p>\n`}`;
  };
  return markup`<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>${title}</title></head><body>
<h2>${title}</h2>
${event && markup`<p>${event}</p>`}
<table cellpadding="4">
${rows}</table>
${said.map((text) => markup`<pre style="white-space:pre-wrap">${text}</pre>\n`)}
${lists.filter(([, lines]) => lines.length > 0).map(list)}</body></html>
`;
}
