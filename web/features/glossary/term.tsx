import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useParams } from "@tanstack/react-router";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { count } from "#web/kit/numbers.ts";
import { Page, Tab, Tabs } from "#web/kit/page.tsx";
import { Panel } from "#web/kit/skip.tsx";
import { Bones, Failure } from "#web/kit/states.tsx";
import { Time } from "#web/kit/time.tsx";
import { useCan } from "#web/components/permissions.ts";
import { DeleteTerm } from "#web/features/glossary/delete-term.tsx";
import { LinkedColumns } from "#web/features/glossary/linked-columns.tsx";
import { LinkedEntities } from "#web/features/glossary/linked-entities.tsx";
import { LinkedTerms } from "#web/features/glossary/linked-terms.tsx";
import { TermDialog } from "#web/features/glossary/term-dialog.tsx";
import { TermOverview } from "#web/features/glossary/term-overview.tsx";
import { TermQueries } from "#web/features/glossary/term-queries.tsx";
import { Rich } from "#web/messages/rich.tsx";
import { type PlainKey, t } from "#web/messages/text.ts";

type Term = Schema<"TermDetails">;

/** The tabs of a term: what the address calls them, what people do, and how many things are behind them. */
const tabs: [tab: string, text: PlainKey, counted?: keyof Term][] = [
  ["overview", "glossary.overview"],
  ["entities", "glossary.entities", "entities_using_count"],
  ["columns", "kit.columns", "columns_using_count"],
  ["terms", "glossary.linkedTerms", "linked_terms_using_count"],
  ["queries", "glossary.queryExamples2", "query_example_using_count"],
];

/** The page of one term. */
export function TermScreen() {
  const { id: text, tab } = useParams({ strict: false }) as {
    id: string;
    tab?: string;
  };
  const id = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
  const term = useQuery({
    ...read("/api/terms/{term_id}", { params: { path: { term_id: id } } }),
    placeholderData: undefined,
  });
  if (!tab) return <Navigate to="/terms/$id/$tab" params={{ id: text, tab: "overview" }} replace />;
  if (term.data) return <TermPage term={term.data} tab={tab} key={id} />;
  return (
    <Page title={t("kit.term")}>
      {term.error
        ? (
          <Failure
            error={term.error}
            what={t("glossary.term")}
            onRetry={() => void term.refetch()}
          />
        )
        : <Bones lines={10} />}
    </Page>
  );
}

function TermPage({ term, tab }: { term: Term; tab: string }) {
  const can = useCan("TERM", term.id);
  const [open, setOpen] = useState<"edit" | "delete">();
  const close = () => setOpen(undefined);
  return (
    <Page
      title={term.name}
      about={
        <Rich
          of="glossary.aboutTerm"
          values={{ namespace: term.namespace.name, time: <Time at={term.updated_at} /> }}
          tags={{
            link: <Link to="/terms" search={{ namespaces: String(term.namespace.id) } as never} />,
          }}
        />
      }
      actions={
        <>
          {can("TERM_UPDATE") && (
            <Button onClick={() => setOpen("edit")}>
              <Pencil /> {t("glossary.edit")}
            </Button>
          )}
          {can("TERM_DELETE") && (
            <Button variant="danger" onClick={() => setOpen("delete")}>
              <Trash2 /> {t("kit.delete")}
            </Button>
          )}
        </>
      }
    >
      <Tabs label={t("glossary.aboutTheTerm")}>
        {tabs.map(([name, text, counted]) => (
          <Tab key={name} to="/terms/$id/$tab" params={{ id: String(term.id), tab: name }}>
            {t(text)}
            {counted && <span className="soft">{count(Number(term[counted] ?? 0))}</span>}
          </Tab>
        ))}
      </Tabs>
      <Panel>
        <TabOf term={term} tab={tab} />
      </Panel>
      {open === "edit" && <TermDialog of={term} onClose={close} />}
      <DeleteTerm term={term} open={open === "delete"} onClose={close} />
    </Page>
  );
}

function TabOf({ term, tab }: { term: Term; tab: string }) {
  switch (tab) {
    case "entities":
      return <LinkedEntities term={term} />;
    case "columns":
      return <LinkedColumns term={term} />;
    case "terms":
      return <LinkedTerms term={term} />;
    case "queries":
      return <TermQueries term={term} />;
    default:
      return <TermOverview term={term} />;
  }
}
