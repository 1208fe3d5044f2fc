import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Code2, Link2, Plus, Unlink } from "lucide-react";
import { useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { CodeBlock } from "#web/kit/copy.tsx";
import { Card, Toolbar } from "#web/kit/page.tsx";
import { Empty, Pending } from "#web/kit/states.tsx";
import { Combobox } from "#web/kit/combobox.tsx";
import { FormDialog, useForm } from "#web/kit/form.tsx";
import { useTyped } from "#web/kit/field.tsx";
import { useCan } from "#web/components/permissions.ts";
import { doUndoable } from "#web/components/undo.ts";
import {
  createExample,
  type Example,
  ExampleDialog,
  linkEntity,
  titleOf,
  unlinkEntity,
  useExamplesChanged,
} from "#web/features/query-examples/examples.tsx";
import styles from "#web/features/query-examples/examples.module.css";
import { t } from "#web/messages/text.ts";

/** The query examples of a data entity. */
export function QueriesTab() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const entity = Number(id);
  const examples = useQuery(
    read("/api/queryexample/dataset/{data_entity_id}", { path: { data_entity_id: entity } }),
  );
  if (!examples.data) {
    const what = t("query-examples.listOfQueryExamples");
    const pending = <Pending of={examples} what={what} bones={8} />;
    return examples.error ? pending : <Card>{pending}</Card>;
  }
  const { items } = examples.data;
  return (
    <div className={styles.list}>
      {items.length > 0 && (
        <Toolbar>
          <Actions entity={entity} known={items} />
        </Toolbar>
      )}
      {items.map((one) => <Attached key={one.id} of={one} entity={entity} />)}
      {items.length === 0 && (
        <Card>
          <Empty
            title={t("query-examples.noQueryExamplesYet")}
            icon={<Code2 aria-hidden />}
            action={<Actions entity={entity} known={items} />}
          >
            {t("query-examples.saveQueriesThatPeopleAsk")}
          </Empty>
        </Card>
      )}
    </div>
  );
}

function Actions({ entity, known }: { entity: number; known: Example[] }) {
  const [doing, setDoing] = useState<"create" | "link">();
  const can = useCan("DATA_ENTITY", entity);
  const close = () => setDoing(undefined);
  if (!can("QUERY_EXAMPLE_DATASET_CREATE")) return null;
  return (
    <>
      {can("QUERY_EXAMPLE_CREATE") && (
        <Button variant="primary" onClick={() => setDoing("create")}>
          <Plus aria-hidden /> {t("query-examples.newExample")}
        </Button>
      )}
      <Button onClick={() => setDoing("link")}>
        <Link2 aria-hidden /> {t("query-examples.linkAnExistingOne")}
      </Button>
      {doing === "create" && (
        <ExampleDialog
          title={t("query-examples.newQueryExample")}
          action={t("kit.create")}
          save={async (form) => {
            const { id } = await createExample(form);
            await linkEntity(entity, id);
          }}
          onClose={close}
        />
      )}
      {doing === "link" && <LinkDialog entity={entity} known={known} onClose={close} />}
    </>
  );
}

function Attached({ of, entity }: { of: Example; entity: number }) {
  const can = useCan("DATA_ENTITY", entity);
  const changed = useExamplesChanged();
  const remove = () =>
    void doUndoable(() => unlinkEntity(entity, of.id).then(changed), {
      done: t("query-examples.queryExampleUnlinked"),
      refused: t("query-examples.couldNotRemoveTheLink"),
      undo: () => linkEntity(entity, of.id).then(changed),
    });
  return (
    <Card
      title={titleOf(of)}
      actions={
        <>
          <Link to="/queryexamples/$id" params={{ id: String(of.id) }}>
            {t("query-examples.open")}
          </Link>
          {can("QUERY_EXAMPLE_DATASET_DELETE") && (
            <IconButton
              small
              label={t("query-examples.removeTheLinkTo", { name: titleOf(of) })}
              onClick={remove}
            >
              <Unlink />
            </IconButton>
          )}
        </>
      }
    >
      <div className={styles.one}>
        {titleOf(of) !== of.definition.trim() && (
          <p className={`${styles.text} foreign`}>{of.definition}</p>
        )}
        <CodeBlock text={of.query} what={t("query-examples.query")} />
      </div>
    </Card>
  );
}

type Ref = Schema<"QueryExampleRef">;

/** Attaches an example that there is already to a data entity. */
function LinkDialog(
  { entity, known, onClose }: { entity: number; known: Example[]; onClose: () => void },
) {
  const [chosen, setChosen] = useState<Ref | null>(null);
  const changed = useExamplesChanged();
  const form = useForm(async (id: number) => {
    await linkEntity(entity, id);
    await changed();
  }, onClose);
  return (
    <FormDialog
      title={t("query-examples.linkAQueryExample")}
      save={t("kit.link")}
      form={form}
      wide
      disabled={!chosen}
      onSave={() => chosen && form.submit(chosen.id)}
      onClose={onClose}
    >
      <ExamplePicker
        value={chosen}
        onValue={setChosen}
        without={known.map(({ id }) => id)}
        error={form.errorOf("query_example_id")}
      />
      {chosen && <CodeBlock text={chosen.query} what={t("query-examples.query")} />}
    </FormDialog>
  );
}

/** The first ones of all, and what goes with the words that are typed. */
function ExamplePicker(
  { value, onValue, without, error }: {
    value: Ref | null;
    onValue: (value: Ref | null) => void;
    without: number[];
    error?: string;
  },
) {
  const [query, onText] = useTyped();
  const first = useQuery(read("/api/queryexample", { query: { page: 1, size: 20 } }));
  const found = useQuery({
    ...read("/api/queryexample/search/suggestions", { query: { query } }),
    enabled: query !== "",
  });
  const items = (query === "" ? first : found).data?.items ?? [];
  return (
    <Combobox
      label={t("query-examples.queryExample")}
      autoFocus
      items={items.filter(({ id }) => !without.includes(id))}
      textOf={titleOf}
      keyOf={({ id }) => id}
      value={value}
      onValue={onValue}
      onText={onText}
      error={error}
      placeholder={t("query-examples.searchByPurposeOrQuery")}
      empty={query === "" ? t("query-examples.noMoreResults") : t("kit.noResults")}
    />
  );
}
