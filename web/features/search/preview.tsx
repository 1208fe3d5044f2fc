import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { Chip, ChipRow } from "#web/kit/badge.tsx";
import { buttonClass, IconButton } from "#web/kit/button.tsx";
import { Markdown } from "#web/kit/markdown.tsx";
import { Facts } from "#web/kit/page.tsx";
import { Bones, Shown } from "#web/kit/states.tsx";
import { readDetails } from "#web/components/entity-details.tsx";
import { EntityLink, TabLink } from "#web/components/entity-link.tsx";
import { Marked, readHighlights } from "#web/features/search/results.tsx";
import { placesOf } from "#web/features/search/why.ts";
import styles from "#web/features/search/search.module.css";
import { t } from "#web/messages/text.ts";

/** One result next to the list: why it was found, and what it is. */
export function Preview(
  { of, searchId, onClose }: { of: Schema<"DataEntity">; searchId: string; onClose: () => void },
) {
  const details = useQuery({ ...readDetails(of.id), placeholderData: keepPreviousData });
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
        <TabLink id={of.id} className={buttonClass({ small: true })}>{t("search.open")}</TabLink>
        <TabLink id={of.id} tab="lineage" className={buttonClass({ small: true })}>
          {t("kit.lineage")}
        </TabLink>
      </div>
    </aside>
  );
}

/** A fact of some names; nothing where there are none. */
function chips(name: string, of: { id: number; name: string }[] | null | undefined) {
  if (!of?.length) return null;
  const row = <ChipRow>{of.map((one) => <Chip key={one.id} name={one.name} />)}</ChipRow>;
  return [name, row] as const;
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
          chips("Terms", terms?.map(({ term }) => term)),
          chips("Tags", tags),
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
