import { Link, useNavigate } from "@tanstack/react-router";
import { BookOpenText, Plus } from "lucide-react";
import { useEffect, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { read, type Schema } from "#web/api/client.ts";
import { ApiError } from "#web/api/errors.ts";
import { Button, buttonClass } from "#web/kit/button.tsx";
import { FilterSheet } from "#web/kit/dialog.tsx";
import { SearchField } from "#web/kit/field.tsx";
import { listText } from "#web/kit/numbers.ts";
import { plainText } from "#web/kit/markdown-text.ts";
import { Card, Page, pageStyles, Toolbar } from "#web/kit/page.tsx";
import { idsOf, useParamsOfView, useTextParam } from "#web/kit/search-params.ts";
import { Empty, Pending } from "#web/kit/states.tsx";
import { type Column, timeColumn } from "#web/kit/table.tsx";
import { PagedTable } from "#web/components/paged-table.tsx";
import { useCan } from "#web/components/permissions.ts";
import { namesOfTerm, withoutMentions } from "#web/components/term-names.ts";
import { TermLink } from "#web/components/term-link.tsx";
import { FacetButton, facets, useTermSearch } from "#web/features/glossary/search.tsx";
import { TermDialog } from "#web/features/glossary/term-dialog.tsx";
import styles from "#web/features/glossary/glossary.module.css";
import { t } from "#web/messages/text.ts";

/** The glossary: all terms, found by words and narrowed by facets; or the one that `?name=namespace:term` names. */
export function GlossaryScreen() {
  const [{ name }] = useParamsOfView();
  return name ? <NamedTerm name={name} key={name} /> : <Terms />;
}

function Terms() {
  const can = useCan();
  const [params, change] = useParamsOfView();
  const [text, setText] = useTextParam("q");
  const [making, setMaking] = useState(false);
  const { id, state, total, listed } = useTermSearch(params);
  const narrowed = text !== "" || facets.some((facet) => params[facet]);
  return (
    <Page
      title={t("glossary.glossary")}
      about={t("glossary.whatBusinessTermsMean")}
      actions={can("TERM_CREATE") && (
        <Button variant="primary" onClick={() => setMaking(true)}>
          <Plus /> {t("glossary.newTerm")}
        </Button>
      )}
    >
      <Toolbar>
        <SearchField
          label={t("glossary.findATerm")}
          value={text}
          onValue={setText}
          className={pageStyles.grow}
        />
        <FilterSheet set={facets.filter((facet) => params[facet]).length}>
          {facets.map((facet) => (
            <FacetButton
              key={facet}
              facet={facet}
              search={id}
              ids={idsOf(params[facet])}
              named={state?.[facet] ?? []}
              onChosen={(ids) => change({ [facet]: ids.join(",") }, true)}
            />
          ))}
        </FilterSheet>
      </Toolbar>
      <div aria-live="polite" className="soft">
        {total === undefined ? t("glossary.looking") : t("glossary.termCount", { count: total })}
      </div>
      <Card flush>
        <PagedTable<Schema<"Term">>
          of={listed}
          label={t("kit.terms")}
          columns={columns()}
          empty={<NoTerms narrowed={narrowed} onMake={() => setMaking(true)} />}
        />
      </Card>
      {making && <TermDialog onClose={() => setMaking(false)} />}
    </Page>
  );
}

function NoTerms({ narrowed, onMake }: { narrowed: boolean; onMake: () => void }) {
  const can = useCan();
  if (narrowed) {
    return <Empty title={t("glossary.noTermsMatch")}>{t("glossary.tryFewerWordsOrFilters")}</Empty>;
  }
  return (
    <Empty
      title={t("glossary.noTermsYet")}
      icon={<BookOpenText aria-hidden />}
      action={can("TERM_CREATE") && (
        <Button onClick={onMake}>{t("glossary.defineTheFirstOne")}</Button>
      )}
    >
      {t("glossary.aTermDefinesWhatA")}
    </Empty>
  );
}

const columns = (): Column<Schema<"Term">>[] => [
  { name: t("kit.term"), cell: (term) => <TermLink of={term} /> },
  {
    name: t("kit.namespace"),
    cell: ({ namespace }) => (
      <Link to="/terms" search={{ namespaces: String(namespace.id) } as never}>
        {namespace.name}
      </Link>
    ),
  },
  { name: t("glossary.definition"), cell: ({ definition }) => <Excerpt of={definition} /> },
  {
    name: t("kit.owners"),
    cell: ({ ownership }) => listText((ownership ?? []).map(({ owner }) => owner.name)),
  },
  { name: t("glossary.usedBy"), tight: true, cell: (term) => usesOf(term) },
  timeColumn(t("glossary.changed"), ({ updated_at }) => updated_at),
];

function Excerpt({ of }: { of: string }) {
  return <span className={styles.definition}>{plainText(withoutMentions(of.slice(0, 600)))}</span>;
}

function usesOf(term: Schema<"Term">): string {
  const entities = term.entities_using_count ?? 0;
  const fields = term.columns_using_count ?? 0;
  const parts = [
    entities > 0 && t("glossary.entityCount", { count: entities }),
    fields > 0 && t("glossary.columnCount", { count: fields }),
  ].filter((part) => part !== false);
  return listText(parts) || "–";
}

/** Where mentions in texts lead to: the page of the term, or that nobody has defined it yet. */
function NamedTerm({ name }: { name: string }) {
  const named = namesOfTerm(name);
  const navigate = useNavigate();
  const found = useQuery({
    ...read("/api/terms/namespaces/{namespace_name}/names/{term_name}", {
      path: { namespace_name: named?.namespace ?? "", term_name: named?.name ?? "" },
    }),
    enabled: named !== undefined,
  });
  const id = found.data?.id;
  useEffect(() => {
    if (id) void navigate({ to: "/terms/$id", params: { id: String(id) }, replace: true });
  }, [id]);
  const unknown = !named || found.error instanceof ApiError && found.error.status === 404;
  return (
    <Page title={named?.name ?? name}>
      {unknown
        ? <Undefined name={name} named={named} />
        : <Pending of={found} what={t("glossary.term")} bones={6} />}
    </Page>
  );
}

function Undefined(
  { name, named }: { name: string; named: { namespace: string; name: string } | undefined },
) {
  const can = useCan();
  const [making, setMaking] = useState(false);
  return (
    <>
      <Empty
        title={named ? t("glossary.thisTermHasNoDefinition") : t("glossary.termNotFound")}
        icon={<BookOpenText aria-hidden />}
        action={
          <>
            {named && can("TERM_CREATE") && (
              <Button
                variant="primary"
                onClick={() => setMaking(true)}
              >
                {t("glossary.defineIt")}
              </Button>
            )}
            <Link to="/terms" className={buttonClass()}>{t("glossary.allTerms")}</Link>
          </>
        }
      >
        {named ? t("glossary.aTextMentions", named) : t("glossary.notOfTheForm", { name })}
      </Empty>
      {making && <TermDialog onClose={() => setMaking(false)} initial={named} />}
    </>
  );
}
