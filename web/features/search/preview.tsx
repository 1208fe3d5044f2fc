import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { Chip, ChipRow } from "#web/kit/badge.tsx";
import { buttonClass, IconButton } from "#web/kit/button.tsx";
import { Markdown } from "#web/kit/markdown.tsx";
import { Facts } from "#web/kit/page.tsx";
import { Bones, Shown } from "#web/kit/states.tsx";
import { readDetails } from "#web/components/entity-details.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import { Marked, readHighlights } from "#web/features/search/results.tsx";
import { placesOf } from "#web/features/search/why.ts";
import styles from "#web/features/search/search.module.css";
import { t } from "#web/messages/text.ts";

/** One result next to the list: why it was found, and what it is. */
export function Preview(
  { of, searchId, onClose }: { of: Schema<"DataEntity">; searchId: string; onClose: () => void },
) {
  const details = useQuery({ ...readDetails(of.id), placeholderData: keepPreviousData });
  const params = { id: String(of.id) };
  return (
    <aside className={styles.preview} aria-label={t("search.preview")}>
      <header>
        <EntityLink of={of} />
        <IconButton small label={t("search.closeThePreview")} onClick={onClose}>
          <X />
        </IconButton>
      </header>
      <Why of={of.id} searchId={searchId} />
      {details.data?.id === of.id || details.error
        ? <Shown of={details} what={t("search.entity")}>{(shown) => <Details of={shown} />}</Shown>
        : <Bones lines={6} />}
      <div className={styles.leads}>
        <Link
          className={buttonClass({ small: true })}
          to="/dataentities/$id/overview"
          params={params}
        >
          {t("search.open")}
        </Link>
        <Link
          className={buttonClass({ small: true })}
          to="/dataentities/$id/lineage"
          params={params}
        >
          {t("kit.lineage")}
        </Link>
      </div>
    </aside>
  );
}

function Details({ of }: { of: Schema<"DataEntityDetails"> }) {
  const { internal_description, external_description, terms, tags, stats } = of;
  return (
    <>
      <Markdown
        text={internal_description || external_description}
        none={t("search.noDescription")}
      />
      <Facts
        of={[
          stats && [t("kit.columns"), stats.fields_count],
          stats?.rows_count != null && [t("search.rows"), stats.rows_count.toLocaleString()],
          terms?.length
            ? [
              "Terms",
              <ChipRow key="t">
                {terms.map(({ term }) => <Chip key={term.id} name={term.name} />)}
              </ChipRow>,
            ]
            : null,
          tags?.length
            ? [
              "Tags",
              <ChipRow key="g">{tags.map(({ id, name }) => <Chip key={id} name={name} />)}
              </ChipRow>,
            ]
            : null,
        ]}
      />
    </>
  );
}

/** Where the words were found. */
function Why({ of, searchId }: { of: number; searchId: string }) {
  const { data } = useQuery(readHighlights(searchId, of));
  const found = data ? placesOf(data) : [];
  if (found.length === 0) return null;
  return (
    <Facts
      of={found.map(([name, texts]) => [name, <Marked key={name} texts={texts} />] as const)}
    />
  );
}
