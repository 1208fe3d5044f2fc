import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { Chip, ChipRow } from "#web/kit/badge.tsx";
import { buttonClass, IconButton } from "#web/kit/button.tsx";
import { Markdown } from "#web/kit/markdown.tsx";
import { Facts } from "#web/kit/page.tsx";
import { Bones, Shown } from "#web/kit/states.tsx";
import { readDetails } from "#web/components/entity-details.ts";
import { EntityLink } from "#web/components/entity-link.tsx";
import styles from "#web/features/search/search.module.css";

/** One result next to the list: why it was found, and what it is. */
export function Preview(
  { of, searchId, onClose }: { of: Schema<"DataEntity">; searchId: string; onClose: () => void },
) {
  const details = useQuery({ ...readDetails(of.id), placeholderData: keepPreviousData });
  const params = { id: String(of.id) };
  return (
    <aside className={styles.preview} aria-label="Preview">
      <header>
        <EntityLink of={of} />
        <IconButton small label="Close the preview" onClick={onClose}>
          <X />
        </IconButton>
      </header>
      <Why of={of.id} searchId={searchId} />
      {details.data?.id === of.id || details.error
        ? <Shown of={details} what="entity">{(shown) => <Details of={shown} />}</Shown>
        : <Bones lines={6} />}
      <div className={styles.leads}>
        <Link
          className={buttonClass({ small: true })}
          to="/dataentities/$id/overview"
          params={params}
        >
          Open
        </Link>
        <Link
          className={buttonClass({ small: true })}
          to="/dataentities/$id/lineage"
          params={params}
        >
          Lineage
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
        none="Nobody has described it yet."
      />
      <Facts
        of={[
          stats && ["Columns", stats.fields_count],
          stats?.rows_count != null && ["Rows", stats.rows_count.toLocaleString()],
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
  const { data } = useQuery({
    ...read("/api/search/{search_id}/data_entities/{data_entity_id}/highlights", {
      params: { path: { search_id: searchId, data_entity_id: of } },
    }),
    placeholderData: undefined,
  });
  const { dataset_structure, data_source, namespace, owners, terms, tags, metadata } = data ?? {};
  const found: [name: string, texts: (string | null | undefined)[] | undefined][] = [
    [
      "Columns",
      dataset_structure?.map((one) => one.name ?? one.internal_description),
    ],
    ["Source", data_source?.name ? [data_source.name] : undefined],
    ["Namespace", namespace?.name ? [namespace.name] : undefined],
    ["Owners", owners?.map(({ owner, title }) => owner ?? title)],
    ["Terms", terms?.map(({ name }) => name)],
    ["Tags", tags?.map(({ name }) => name)],
    ["Metadata", metadata?.map(({ field, value }) => `${field.name}: ${value}`)],
  ];
  const shown = found.flatMap(([name, texts]) =>
    texts?.length ? [[name, <Marked key={name} texts={texts} />] as const] : []
  );
  return shown.length > 0 ? <Facts of={shown} /> : null;
}

function Marked({ texts }: { texts: readonly (string | null | undefined)[] }): ReactNode {
  return texts.slice(0, 6).map((text, at) => (
    <span key={at} className="foreign">
      {at > 0 && ", "}
      {parts(text ?? "").map((part, index) => index % 2 ? <mark key={index}>{part}</mark> : part)}
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
