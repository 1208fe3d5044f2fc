import type { Schema } from "#web/api/client.ts";
import { t } from "#web/messages/text.ts";

type Highlights = Schema<"DataEntitySearchHighlight">;

type Texts = (string | null | undefined)[];

/** The places in which words were found, with their texts as HTML; those that a list does not show by itself first. */
export function placesOf(found: Highlights): [place: string, texts: string[]][] {
  const { data_entity: entity } = found;
  const places: [place: string, texts: Texts | undefined][] = [
    [
      t("kit.columns"),
      found.dataset_structure?.map(({ name, internal_description: text }) => name ?? text),
    ],
    [t("kit.description"), [entity?.internal_description, entity?.external_description]],
    [t("kit.terms"), found.terms?.map(({ name }) => name)],
    [t("kit.tags"), found.tags?.map(({ name }) => name)],
    [t("kit.owners"), found.owners?.map(({ owner, title }) => owner ?? title)],
    [t("search.metadata"), found.metadata?.map(({ field, value }) => `${field.name}: ${value}`)],
    [t("search.source"), [found.data_source?.name]],
    [t("kit.namespace"), [found.namespace?.name]],
  ];
  return places.flatMap(([place, texts]) => {
    const shown = (texts ?? []).filter((text) => text != null);
    return shown.length > 0 ? [[place, shown] as [string, string[]]] : [];
  });
}

/** Whether each word stands in one of the names that the list shows, so that nobody asks why it was found. */
export function isInName(words: string, ...names: (string | null | undefined)[]): boolean {
  const text = names.join(" ").toLowerCase();
  return words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** The part of a long text around its first match, so that the match is seen in one line. Both are HTML. */
export function aroundMatch(html: string, before = 30): string {
  const at = html.indexOf("<b>");
  if (at <= before) return html;
  const from = html.indexOf(" ", at - before);
  return `…${html.slice(from > 0 && from < at ? from : at)}`;
}
