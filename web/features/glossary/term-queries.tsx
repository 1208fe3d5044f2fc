import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Code2, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { Combobox } from "#web/kit/combobox.tsx";
import { CopyButton } from "#web/kit/copy.tsx";
import { FormDialog, useForm } from "#web/kit/form.tsx";
import { Card, Toolbar } from "#web/kit/page.tsx";
import { Empty, Shown } from "#web/kit/states.tsx";
import { useTyped } from "#web/kit/field.tsx";
import { useCan } from "#web/components/permissions.ts";
import { doUndoable } from "#web/components/undo.ts";
import styles from "#web/features/glossary/glossary.module.css";
import { t } from "#web/messages/text.ts";

/** Queries that show how a term is meant. */
export function TermQueries({ term }: { term: Schema<"TermDetails"> }) {
  const can = useCan("TERM", term.id);
  const [adding, setAdding] = useState(false);
  const { add, remove } = useExamples(term.id);
  const unlink = (id: number) =>
    void doUndoable(() => remove(id), {
      done: t("glossary.theQueryExampleIsRemoved"),
      refused: t("glossary.couldNotRemoveTheQuery"),
      undo: () => add(id),
    });
  const examples = useQuery(
    read("/api/queryexample/term/{term_id}", { path: { term_id: term.id } }),
  );
  return (
    <>
      {can("QUERY_EXAMPLE_TERM_CREATE") && (
        <Toolbar>
          <Button onClick={() => setAdding(true)}>
            <Plus /> {t("glossary.addAQueryExample")}
          </Button>
        </Toolbar>
      )}
      <Shown of={examples} what={t("glossary.queryExamples")} bones={6}>
        {({ items }) =>
          items.length === 0
            ? (
              <Empty title={t("glossary.noQueryExamples")} icon={<Code2 aria-hidden />}>
                {t("glossary.aQueryShowsHowSomething")}
              </Empty>
            )
            : items.map((one) => (
              <Example
                key={one.id}
                of={one}
                onRemove={can("QUERY_EXAMPLE_TERM_DELETE") ? () => unlink(one.id) : undefined}
              />
            ))}
      </Shown>
      {adding && <AddDialog onAdd={add} onClose={() => setAdding(false)} />}
    </>
  );
}

function Example(
  { of, onRemove }: { of: Schema<"QueryExample">; onRemove: (() => void) | undefined },
) {
  return (
    <Card>
      <div className={styles.form}>
        <div className={styles.person}>
          <span className="truncate">
            <Link to="/queryexamples/$id" params={{ id: String(of.id) }}>{of.definition}</Link>
          </span>
          <CopyButton text={of.query} what={t("glossary.query")} />
          {onRemove && (
            <IconButton label={t("glossary.removeTheQueryExample")} small onClick={onRemove}>
              <Trash2 />
            </IconButton>
          )}
        </div>
        <pre
          className={styles.sql}
          tabIndex={0}
          aria-label={t("glossary.query2")}
        ><code>{of.query}</code></pre>
      </div>
    </Card>
  );
}

function useExamples(term_id: number) {
  const queries = useQueryClient();
  const done = () => refresh(queries, "/api/queryexample", "/api/terms");
  return {
    add: async (query_example_id: number) => {
      const body = { query_example_id };
      await send("post", "/api/terms/{term_id}/queryexample", { path: { term_id }, body });
      await done();
    },
    remove: async (example_id: number) => {
      await send("delete", "/api/terms/{term_id}/queryexample/{example_id}", {
        path: { term_id, example_id },
      });
      await done();
    },
  };
}

function AddDialog(
  { onAdd, onClose }: { onAdd: (id: number) => Promise<void>; onClose: () => void },
) {
  const [query, onText] = useTyped();
  const [chosen, setChosen] = useState<Schema<"QueryExampleRef"> | null>(null);
  const { data } = useQuery(read("/api/queryexample", { query: { page: 1, size: 20, query } }));
  const form = useForm(onAdd, onClose);
  return (
    <FormDialog
      title={t("glossary.addAQueryExample")}
      save={t("kit.add")}
      form={form}
      disabled={!chosen}
      onClose={onClose}
      onSave={() => chosen && form.submit(chosen.id)}
    >
      <Combobox
        label={t("glossary.queryExample")}
        items={data?.items ?? []}
        textOf={({ definition }) => definition}
        keyOf={({ id }) => id}
        value={chosen}
        onValue={setChosen}
        onText={onText}
        empty={t("glossary.noQueryExampleSaysThis")}
        autoFocus
        error={form.errorOf("query_example_id")}
      />
    </FormDialog>
  );
}
