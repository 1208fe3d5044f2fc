import type { AlertMessage, NotifiedEntity } from "#contract/notifications.ts";
import { clean, cut } from "#kit/text.ts";
import { entityName, entityUrl, type Texts } from "#platform/messages/texts.ts";
import {
  eventSentence,
  groupedEventText,
  newestChunks,
  ownersOf,
  type Place,
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
export function renderMail(message: AlertMessage, place: Place): Mail {
  const { texts } = place;
  const content = contentOf(message, place);
  const title = texts.name(message.alert_type);
  return {
    subject: texts.text("alert.mailSubject", { code: message.alert_type }),
    text: asText(title, content, texts),
    html: asHtml(title, content, texts).text,
  };
}

const name = (text: string) => cut(clean(text).replaceAll(/\s+/g, " ").trim(), nameMax);

function contentOf(message: AlertMessage, { baseUrl, texts }: Place): Content {
  const { data_entity: entity, consequences, downstream } = message;
  const line = (e: NotifiedEntity, text = described(e, texts)) => ({
    text,
    url: entityUrl(baseUrl, e, "alerts"),
  });
  const owned = (e: NotifiedEntity) =>
    e.owners.length === 0
      ? described(e, texts)
      : texts.text("alert.ownedBy", { entity: described(e, texts), owners: ownersText(e) });
  const more = message.downstream_truncated ? ` ${texts.text("alert.moreThanLookedAt")}` : "";
  const type = texts.name(message.alert_type);
  return {
    facts: [
      [texts.text("alert.alert"), { text: `${type} (${message.alert_type})` }],
      [
        texts.text("alert.dataEntity"),
        entity ? line(entity) : { text: texts.text("alert.unknownEntity") },
      ],
      ...placeOf(entity, texts),
      [texts.text("alert.time"), { text: message.event_at }],
    ],
    event: eventSentence(message, texts, name),
    said: newestChunks(message, chunksMax).map((text) => cut(clean(text), chunkMax)),
    lists: [
      [
        texts.text("alert.furtherChanges"),
        message.grouped_events.map((e) => ({ text: groupedEventText(e, texts) })),
      ],
      [
        texts.text("alert.consequences"),
        consequences.map((c) =>
          line(
            c.data_entity,
            `${described(c.data_entity, texts)}: ${texts.name(c.alert_type)}`,
          )
        ),
      ],
      [`${texts.text("alert.affected")}${more}`, downstream.map((e) => line(e, owned(e)))],
    ],
  };
}

function described(entity: NotifiedEntity, texts: Texts): string {
  const type = entity.type ? `${texts.name(entity.type)} ` : "";
  return texts.text("alert.id", {
    entity: `${type}${name(entityName(entity))}`,
    // An identifier, which has no separators.
    id: String(entity.id),
  });
}

function placeOf(entity: NotifiedEntity | null, texts: Texts): [string, Line][] {
  if (!entity) return [];
  const facts: [string, string | null][] = [
    [texts.text("alert.dataSource"), entity.data_source_name && name(entity.data_source_name)],
    [texts.text("alert.namespace"), entity.namespace_name && name(entity.namespace_name)],
    [texts.text("alert.owners"), ownersText(entity)],
  ];
  return facts.flatMap(([label, text]) => (text ? [[label, { text }]] : []));
}

function ownersText(entity: NotifiedEntity): string {
  const names = ownersOf([entity]).slice(0, listMax).map(({ owner_name, title_name }) =>
    title_name ? `${name(owner_name)} (${name(title_name)})` : name(owner_name)
  );
  return cut(names.join(", "), ownersMax);
}

const leftOut = (lines: unknown[], texts: Texts) =>
  lines.length > listMax ? texts.text("alert.andMore", { count: lines.length - listMax }) : null;

function asText(title: string, { facts, event, said, lists }: Content, texts: Texts): string {
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
        leftOut(lines, texts) ?? "",
      ].join("\n").trimEnd()
    ),
  ];
  return `${parts.filter((part) => part !== null).join("\n\n")}\n`;
}

function asHtml(title: string, { facts, event, said, lists }: Content, texts: Texts): Html {
  const shown = ({ text, url }: Line) =>
    url ? markup`<a href="${url}">${text}</a>` : markup`${text}`;
  const rows = facts.map(([label, value]) =>
    markup`<tr><th align="left">${label}</th><td>${shown(value)}</td></tr>\n`
  );
  const list = ([label, lines]: [string, Line[]]) => {
    const items = lines.slice(0, listMax).map((line) => markup`<li>${shown(line)}</li>\n`);
    const left = leftOut(lines, texts);
    return markup`<h3>${label}</h3>\n<ul>\n${items}</ul>\n${left && markup`<p>${left}</p>\n`}`;
  };
  return markup`<!DOCTYPE html>
<html lang="${texts.language}"><head><meta charset="utf-8"><title>${title}</title></head><body>
<h2>${title}</h2>
${event && markup`<p>${event}</p>`}
<table cellpadding="4">
${rows}</table>
${said.map((text) => markup`<pre style="white-space:pre-wrap">${text}</pre>\n`)}
${lists.filter(([, lines]) => lines.length > 0).map(list)}</body></html>
`;
}

const escapes = new Map(Object.entries({
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}));

/** Markup that is finished; everything else is text and will be escaped. */
class Html {
  constructor(readonly text: string) {}
}

type HtmlPart = string | number | Html | null | readonly (string | number | Html | null)[];

// Not called `html`: the formatter would indent what is quoted and so change the text of a mail.
/** A template whose values are escaped, unless they are `Html`; lists are joined, null is nothing. */
function markup(fixed: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  const text = parts.map((part, i) => [part].flat().map(written).join("") + fixed[i + 1]).join("");
  return new Html(fixed[0] + text);
}

function written(part: string | number | Html | null): string {
  if (part === null) return "";
  if (part instanceof Html) return part.text;
  return String(part).replaceAll(/[&<>"']/g, (character) => escapes.get(character)!);
}
