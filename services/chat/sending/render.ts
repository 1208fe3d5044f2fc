import { clean, cut, fitted } from "#kit/text.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { entityName, entityUrl, type Texts } from "#platform/messages/texts.ts";
import {
  type Block,
  context,
  contextMax,
  link,
  literal,
  literalLine,
  nameMax,
  section,
  sectionMax,
  sourceBlocks,
} from "#platform/chat/markup.ts";

/** Shown of the message where blocks cannot be, such as in a notice on a phone. */
const noticeMax = 500;
/** Maximum number of units that one letter becomes by escaping: `&amp;`. */
const longestCharacter = 5;

interface RenderInput {
  text: string;
  author: string | null;
  subject: Subject;
  /** Address of this catalogue. */
  baseUrl: string;
  texts: Texts;
}

/**
 * A message as it is posted: a link to the entity, the literal text, and where the entity belongs; of no
 * more blocks than the provider takes, each within its limits.
 */
export function posted({ text, author, subject, baseUrl, texts }: RenderInput) {
  const name = literalLine(entityName(subject), nameMax);
  const type = subject.type ? `*${literalLine(texts.name(subject.type), nameMax)}* ` : "";
  const title = link(entityUrl(baseUrl, subject, "overview"), `${type}*${name}*`);
  const by = author === null
    ? ""
    : ` ${texts.text("chat.writes", { person: literalLine(author, nameMax) })}`;
  const blocks: Block[] = [
    section(`${title}${by}`),
    ...paragraphs(clean(text).trim()),
    ...sourceBlocks(subject.dataSource, subject.namespace, texts),
    ...named(texts.text("chat.owners"), subject.owners.map(ownerText)),
    ...named(texts.text("chat.tags"), subject.tags),
    ...named(texts.text("chat.groups"), subject.groups),
  ];
  return { text: `${name}: ${literal(cut(clean(text), noticeMax), noticeMax)}`, blocks };
}

/** The whole text, in as many sections as its letters need once they are escaped. */
function paragraphs(text: string): Block[] {
  const shown = literal(text, text.length * longestCharacter);
  if (shown.length <= sectionMax) return shown.trim() === "" ? [] : [section(shown)];
  const at = placeToCut(text);
  return [...paragraphs(text.slice(0, at)), ...paragraphs(text.slice(at))];
}

/** About the middle: after a line, else after a blank, else between two characters. */
function placeToCut(text: string): number {
  const half = Math.ceil(text.length / 2);
  const part = text.slice(0, half);
  const at = Math.max(part.lastIndexOf("\n"), part.lastIndexOf(" ")) + 1;
  if (at > half / 2) return at;
  return /[\ud800-\udbff]$/.test(part) ? half - 1 : half;
}

function ownerText({ owner, title }: Subject["owners"][number]): string {
  return title === null ? owner : `${owner} (${title})`;
}

function named(what: string, names: string[]): Block[] {
  if (names.length === 0) return [];
  const shown = names.map((name) => literalLine(name, nameMax));
  const [first = "", ...others] = shown;
  return [context(fitted([`${what}: ${first}`, ...others], contextMax, { separator: ", " }))];
}

/** Maximum number of names of each kind that are read; a message shows fewer. */
const maxNames = 200;

/** What a posted message shows of its entity. */
export interface Subject {
  id: number;
  name: string | null;
  type: string | null;
  dataSource: string | null;
  namespace: string | null;
  owners: { owner: string; title: string | null }[];
  tags: string[];
  groups: string[];
}

const subjectStatement = statement<Subject>("message-subject")`
  SELECT e.id, y.name AS type, s.name AS "dataSource", n.name AS namespace,
         CASE WHEN NOT e.hollow THEN coalesce(e.internal_name, e.external_name, e.catrn) END AS name,
         (SELECT coalesce(json_agg(json_build_object('owner', p.owner, 'title', p.title)
                                   ORDER BY p.owner, p.title), '[]')
            FROM (SELECT w.name AS owner, t.name AS title
                    FROM ownership o JOIN owner w ON w.id = o.owner_id
                    LEFT JOIN title t ON t.id = o.title_id
                   WHERE o.entity_id = e.id ORDER BY 1, 2 LIMIT ${maxNames}) p) AS owners,
         ARRAY(SELECT t.name FROM entity_tag x JOIN tag t ON t.id = x.tag_id
                WHERE x.entity_id = e.id GROUP BY t.id ORDER BY t.important DESC, t.name
                LIMIT ${maxNames}) AS tags,
         ARRAY(SELECT coalesce(g.internal_name, g.external_name, g.catrn)
                 FROM group_member m JOIN data_entity g ON g.id = m.group_id
                WHERE m.member_id = e.id AND is_live(g.status) AND NOT g.hollow
                GROUP BY g.id ORDER BY 1 LIMIT ${maxNames}) AS groups
    FROM data_entity e
    LEFT JOIN entity_type y ON y.id = e.type_id
    LEFT JOIN data_source s ON s.id = e.data_source_id
    LEFT JOIN namespace n ON n.id = coalesce(e.namespace_id, s.namespace_id)
   WHERE e.id = $1`;

/** What a message shows of this entity; undefined when it is gone. */
export async function subjectOf(db: Queryable, entityId: number): Promise<Subject | undefined> {
  return (await db.query(subjectStatement, [entityId]))[0];
}
