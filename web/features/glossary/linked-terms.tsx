import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { readPages } from "#web/api/pages.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Button, IconButton } from "#web/kit/button.tsx";
import { FormDialog, useForm } from "#web/kit/form.tsx";
import { actionsColumn, type Column } from "#web/kit/table.tsx";
import { useListSearch } from "#web/kit/search-params.ts";
import { SearchField } from "#web/kit/field.tsx";
import { Card, pageStyles, Toolbar } from "#web/kit/page.tsx";
import { Empty } from "#web/kit/states.tsx";
import { TermPicker } from "#web/components/pickers.tsx";
import { TermLink } from "#web/components/term-link.tsx";
import { doUndoable } from "#web/components/undo.ts";
import { type InfiniteQuery, PagedTable } from "#web/components/paged-table.tsx";
import { t } from "#web/messages/text.ts";

interface Row extends Schema<"LinkedTerm"> {
  id: number;
}

/** Terms that belong to this one: by hand, or because its definition mentions them. */
export function LinkedTerms({ term }: { term: Schema<"TermDetails"> }) {
  const { field, query } = useListSearch();
  const [adding, setAdding] = useState(false);
  const listed = useInfiniteQuery({
    ...readPages("/api/terms/{term_id}/linked_terms", {
      path: { term_id: term.id },
      query: { query },
    }),
    select: ({ pages }) => ({ pages: pages.map(withIds) }),
  });
  const { add, remove } = useLinks(term.id);
  const unlink = ({ id, name }: Schema<"TermRef">) =>
    void doUndoable(() => remove(id), {
      done: t("glossary.noLongerLinked", { name }),
      refused: t("glossary.couldNotRemoveTheLink"),
      undo: () => add(id),
    });
  const columns: Column<Row>[] = [
    { name: t("kit.term"), cell: (row) => <TermLink of={row.term} /> },
    { name: t("kit.namespace"), cell: (row) => row.term.namespace.name },
    {
      name: t("kit.link"),
      tight: true,
      cell: ({ is_description_link }) =>
        is_description_link
          ? <Badge>{t("glossary.mentionedInTheDefinition")}</Badge>
          : t("glossary.addedManually"),
    },
    actionsColumn((row) =>
      !row.is_description_link && (
        <IconButton
          label={t("glossary.remove", { name: row.term.name })}
          small
          onClick={() => unlink(row.term)}
        >
          <Trash2 />
        </IconButton>
      )
    ),
  ];
  return (
    <>
      <LinkedList<Row>
        of={listed}
        label={t("kit.terms")}
        find={t("glossary.findInTerms")}
        field={field}
        controls={
          <Button onClick={() => setAdding(true)}>
            <Plus /> {t("glossary.linkATerm")}
          </Button>
        }
        columns={columns}
        none={t("glossary.noLinkedTerms")}
        how={t("glossary.linkOneHereOrMention")}
      />
      {adding && <LinkDialog onAdd={add} onClose={() => setAdding(false)} />}
    </>
  );
}

function withIds(page: Schema<"LinkedTermList">) {
  return { ...page, items: page.items.map((one) => ({ ...one, id: one.term.id })) };
}

function useLinks(term_id: number) {
  const queries = useQueryClient();
  const done = () => refresh(queries, "/api/terms");
  return {
    add: async (linked_term_id: number) => {
      const body = { linked_term_id };
      await send("post", "/api/terms/{term_id}/term", { path: { term_id }, body });
      await done();
    },
    remove: async (id: number) => {
      await send("delete", "/api/terms/{term_id}/term/{linked_term_id}", {
        path: { term_id, linked_term_id: id },
      });
      await done();
    },
  };
}

function LinkDialog(
  { onAdd, onClose }: { onAdd: (id: number) => Promise<void>; onClose: () => void },
) {
  const [chosen, setChosen] = useState<Schema<"TermRef"> | null>(null);
  const form = useForm(onAdd, onClose);
  return (
    <FormDialog
      title={t("glossary.linkATerm")}
      save={t("kit.link")}
      form={form}
      disabled={!chosen}
      onClose={onClose}
      onSave={() => chosen && form.submit(chosen.id)}
    >
      <TermPicker
        label={t("kit.term")}
        value={chosen}
        onValue={setChosen}
        autoFocus
        error={form.errorOf("linked_term_id")}
      />
    </FormDialog>
  );
}

/** A tab that lists what a term is linked with: a filter by name, further controls, and the list. */
export function LinkedList<Row extends { id: string | number }>(
  { of, label, find, field, controls, columns, none, how }: {
    of: InfiniteQuery<Row>;
    label: string;
    /** Label of the filter. */
    find: string;
    field: ReturnType<typeof useListSearch>["field"];
    controls?: ReactNode;
    columns: Column<Row>[];
    /** Said where nothing is linked, and how to change that. */
    none: string;
    how: ReactNode;
  },
) {
  return (
    <>
      <Toolbar>
        <SearchField label={find} {...field} className={pageStyles.grow} />
        {controls}
      </Toolbar>
      <Card flush>
        <PagedTable<Row>
          of={of}
          label={label}
          columns={columns}
          empty={field.value
            ? (
              <Empty title={t("glossary.nothingMatches")}>
                {t("glossary.noLinkedAssetsMatch")}
              </Empty>
            )
            : <Empty title={none}>{how}</Empty>}
        />
      </Card>
    </>
  );
}
