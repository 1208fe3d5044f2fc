import type { ReactNode } from "react";
import { read } from "#web/api/client.ts";

/** Texts as the service answers them, the matches marked; at most `max` of them. */
export function Marked({ texts, max = 6 }: { texts: readonly string[]; max?: number }): ReactNode {
  return texts.slice(0, max).map((text, at) => (
    <span key={at} className="foreign">
      {at > 0 && ", "}
      {parts(text).map((part, index) => index % 2 ? <mark key={index}>{part}</mark> : part)}
    </span>
  ));
}

const entities = new Map([["amp", "&"], ["lt", "<"], ["gt", ">"], ["quot", '"'], ["#39", "'"]]);

/** The service answers HTML: what it found in `<b>`, all else escaped. Every second part is a match; all are text. */
function parts(html: string): string[] {
  return html.split(/<\/?b>/).map((part) =>
    part.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities.get(name)!)
  );
}

/** Where a search found its words in an entity. */
export function readHighlights(searchId: string, entity: number) {
  return {
    ...read("/api/search/{search_id}/data_entities/{data_entity_id}/highlights", {
      params: { path: { search_id: searchId, data_entity_id: entity } },
    }),
    placeholderData: undefined,
    staleTime: 5 * 60_000,
  };
}
