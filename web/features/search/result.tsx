import { useQuery } from "@tanstack/react-query";
import type { Schema } from "#web/api/client.ts";
import { plainText } from "#web/kit/plain-markdown.ts";
import { crumbsOf } from "#web/components/crumbs.ts";
import { EntityLink, nameOf } from "#web/components/entity-link.tsx";
import { StaleBadge, StatusBadge } from "#web/components/status.tsx";
import { withoutMentions } from "#web/components/term-names.ts";
import { Marked } from "#web/features/search/marked.tsx";
import { readHighlights } from "#web/features/search/highlights.ts";
import { aroundMatch, isInName, placesOf } from "#web/features/search/why.ts";
import styles from "#web/features/search/search.module.css";

type Row = Schema<"DataEntity">;

/** A result by its name, where it is, what it is described as, and why it was found where the name does not say so. */
export function Result(
  { of, description, searchId, words }: {
    of: Row;
    description: string | null | undefined;
    searchId: string;
    words: string;
  },
) {
  const text = plainText(withoutMentions((description ?? "").slice(0, 400)), 300);
  return (
    <div className={styles.result}>
      <div className={styles.title}>
        <EntityLink of={of} />
        <StatusBadge status={of.status} />
        <StaleBadge stale={of.is_stale} />
      </div>
      <div className="soft truncate" title={text || of.catrn}>
        {[locationOf(of), text].filter(Boolean).join(" · ")}
      </div>
      {words && !isInName(words, nameOf(of)) && <Reason of={of} searchId={searchId} />}
    </div>
  );
}

/** The first place in which the words were found, in one line. */
function Reason({ of, searchId }: { of: Row; searchId: string }) {
  const { data } = useQuery(readHighlights(searchId, of.id));
  const [place, texts] = (data && placesOf(data)[0]) ?? [];
  if (!texts) return null;
  return (
    <div className={`soft truncate ${styles.reason}`}>
      {place}: <Marked texts={texts.map((text) => aroundMatch(text))} max={3} />
    </div>
  );
}

/** Where a result is: its source and what is within. */
function locationOf(of: Row): string {
  const places = [of.data_source?.name, ...crumbsOf(of.catrn).map(({ text }) => text)];
  return places.filter(Boolean).join(" › ");
}
