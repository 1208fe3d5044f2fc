import type { Schema } from "#web/api/client.ts";

type Highlights = Schema<"DataEntitySearchHighlight">;

type Texts = (string | null | undefined)[];

/** The places in which words were found, with their texts as HTML; those that a list does not show by itself first. */
export function placesOf(found: Highlights): [place: string, texts: string[]][] {
  const { data_entity: entity } = found;
  const places: [place: string, texts: Texts | undefined][] = [
    [
      "Columns",
      found.dataset_structure?.map(({ name, internal_description: text }) => name ?? text),
    ],
    ["Description", [entity?.internal_description, entity?.external_description]],
    ["Terms", found.terms?.map(({ name }) => name)],
    ["Tags", found.tags?.map(({ name }) => name)],
    ["Owners", found.owners?.map(({ owner, title }) => owner ?? title)],
    ["Metadata", found.metadata?.map(({ field, value }) => `${field.name}: ${value}`)],
    ["Source", [found.data_source?.name]],
    ["Namespace", [found.namespace?.name]],
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
