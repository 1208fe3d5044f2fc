import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Navigate, useNavigate, useParams } from "@tanstack/react-router";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { usePages } from "#web/api/pages.ts";
import { Button } from "#web/kit/button.tsx";
import { count, listText, words } from "#web/kit/numbers.ts";
import { Page, Panel, Tab, Tabs } from "#web/kit/page.tsx";
import { Pending } from "#web/kit/states.tsx";
import { Time } from "#web/kit/time.tsx";
import { Confirm } from "#web/kit/dialog.tsx";
import { toast } from "#web/kit/toast.ts";
import { SelectField } from "#web/kit/field.tsx";
import { useListSearch, useParamsOfView } from "#web/kit/search-params.ts";
import type { Column } from "#web/kit/table.tsx";
import { plainText } from "#web/kit/markdown-text.ts";
import { useCan } from "#web/components/permissions.ts";
import { EntityLink, TabLink } from "#web/components/entity-link.tsx";
import { StatusBadge } from "#web/components/status.tsx";
import { LinkedList, LinkedTerms } from "#web/features/glossary/linked-terms.tsx";
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
  const { id: text, tab } = useParams({ strict: false }) as { id: string; tab?: string };
  const id = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
  const term = useQuery({
    ...read("/api/terms/{term_id}", { path: { term_id: id } }),
    placeholderData: undefined,
  });
  if (!tab) return <Navigate to="/terms/$id/$tab" params={{ id: text, tab: "overview" }} replace />;
  if (term.data) return <TermPage term={term.data} tab={tab} key={id} />;
  return (
    <Page title={t("kit.term")}>
      <Pending of={term} what={t("glossary.term")} bones={10} />
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

/** Asks before a term is deleted, naming what loses it; a refusal names the texts that mention it. */
function DeleteTerm({ term, open, onClose }: { term: Term; open: boolean; onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const uses = usesOf(term);
  const remove = async () => {
    await send("delete", "/api/terms/{term_id}", { path: { term_id: term.id } });
    await navigate({ to: "/terms" });
    toast(t("glossary.isDeleted", { name: term.name }));
    queries.removeQueries({ queryKey: ["/api/terms/{term_id}"] });
    await refresh(queries, "/api/terms", "/api/dataentities", "/api/datasets");
  };
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t("glossary.deleteQuestion", { name: term.name })}
      action={t("glossary.deleteTheTerm")}
      onConfirm={remove}
    >
      {uses.length > 0
        ? <p>{t("glossary.isRemovedFrom", { uses: listText(uses) })}</p>
        : <p>{t("glossary.noAssetsAreLinkedThis")}</p>}
      <p className="soft">{t("glossary.itCannotBeDeletedWhile")}</p>
    </Confirm>
  );
}

function usesOf(term: Term): string[] {
  const counted = [
    [term.entities_using_count, "glossary.entityCount"],
    [term.columns_using_count, "glossary.columnCount"],
    [term.linked_terms_using_count, "glossary.linkedTermCount"],
    [term.query_example_using_count, "glossary.queryExampleCount"],
  ] as const;
  return counted.flatMap(([count, key]) => (count ? [t(key, { count })] : []));
}

/** The entities that have a term, or whose description mentions it. */
function LinkedEntities({ term }: { term: Term }) {
  const [{ class: chosen }, change] = useParamsOfView();
  const { field, query } = useListSearch();
  const classes = useQuery({ ...read("/api/dataentities/classes"), staleTime: Infinity }).data;
  const entity_class_id = Number(chosen) || undefined;
  const listed = usePages("/api/terms/{term_id}/linked_entities", {
    path: { term_id: term.id },
    query: { query, entity_class_id },
  });
  const options = (classes?.entity_classes ?? []).map(({ id, name }) =>
    [String(id), words(name)] as const
  );
  return (
    <LinkedList<Schema<"DataEntity">>
      of={listed}
      label={t("glossary.entities")}
      find={t("glossary.findInEntities")}
      field={field}
      controls={
        <SelectField
          label={t("kit.category")}
          hideLabel
          value={chosen ?? ""}
          options={[["", t("glossary.allCategories")], ...options]}
          onChange={({ target }) => change({ class: target.value }, true)}
        />
      }
      columns={columns()}
      none={entity_class_id ? t("glossary.assetNotFoundHasThis") : t("glossary.noAssetHasThisTerm")}
      how={t("glossary.addItOnThePage")}
    />
  );
}

const columns = (): Column<Schema<"DataEntity">>[] => [
  { name: t("kit.name"), cell: (one) => <EntityLink of={one} /> },
  { name: t("kit.type"), cell: ({ type }) => words(type.name) },
  { name: t("glossary.source"), cell: ({ data_source }) => data_source?.name ?? "–" },
  {
    name: t("kit.owners"),
    cell: ({ ownership }) => listText((ownership ?? []).map(({ owner }) => owner.name)),
  },
  { name: t("kit.status"), tight: true, cell: ({ status }) => <StatusBadge status={status} /> },
];

type Field = Schema<"TermSearchDataSetField">;

/** The columns that have a term, or whose description mentions it. */
function LinkedColumns({ term }: { term: Term }) {
  const { field, query } = useListSearch();
  const listed = usePages("/api/terms/{term_id}/linked_columns", {
    path: { term_id: term.id },
    query: { query },
  });
  return (
    <LinkedList<Field>
      of={listed}
      label={t("kit.columns")}
      find={t("glossary.findInColumns")}
      field={field}
      columns={fieldColumns()}
      none={t("glossary.noColumnHasThisTerm")}
      how={t("glossary.addItToAColumn")}
    />
  );
}

const fieldColumns = (): Column<Field>[] => [
  { name: t("glossary.column"), cell: (field) => <FieldLink of={field} /> },
  {
    name: t("glossary.of"),
    cell: ({ dataEntityId, dataEntityName }) =>
      dataEntityId ? <TabLink id={dataEntityId}>{dataEntityName}</TabLink> : dataEntityName,
  },
  { name: t("kit.type"), cell: ({ type }) => type.logical_type || words(type.type.slice(5)) },
  { name: t("glossary.source"), cell: ({ data_source }) => data_source?.name ?? "–" },
  {
    name: t("kit.description"),
    cell: ({ internal_description, external_description }) => (
      <span className="truncate">
        {plainText(internal_description || external_description || "")}
      </span>
    ),
  },
];

function FieldLink({ of }: { of: Field }) {
  const name = of.internal_name || of.name;
  if (!of.dataEntityId) return <span className="foreign">{name}</span>;
  return (
    <TabLink
      id={of.dataEntityId}
      tab="structure"
      search={{ field: String(of.id) }}
      className="foreign"
    >
      {name}
    </TabLink>
  );
}
