import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Pencil, Plus, Trash2, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { read, type Schema, send } from "#web/api/client.ts";
import { type EntityLike, EntityLink, nameOf } from "#web/components/entity-link.tsx";
import { useCan } from "#web/components/permissions.ts";
import { EntityPicker, TermPicker } from "#web/components/pickers.tsx";
import { doUndoable } from "#web/components/undo.ts";
import styles from "#web/features/query-examples/examples.module.css";
import {
  ExampleDialog,
  linkEntity,
  linkTerm,
  titleOf,
  unlinkEntity,
  unlinkTerm,
  useExamplesChanged,
} from "#web/features/query-examples/examples.tsx";
import { Button, IconButton } from "#web/kit/button.tsx";
import { CodeBlock } from "#web/kit/copy.tsx";
import { Confirm } from "#web/kit/dialog.tsx";
import { InlineForm, useForm } from "#web/kit/form.tsx";
import { plainText } from "#web/kit/markdown-text.ts";
import { Card, Columns, Page } from "#web/kit/page.tsx";
import { Pending } from "#web/kit/states.tsx";
import { Time } from "#web/kit/time.tsx";
import { toast } from "#web/kit/toast.ts";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

type Details = Schema<"QueryExampleDetails">;

/** One query example: what it is for, the query, and what it belongs to. */
export function QueryExampleScreen() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const example = useQuery({
    ...read("/api/queryexample/{example_id}", { path: { example_id: Number(id) } }),
    placeholderData: undefined,
    enabled: /^\d{1,15}$/.test(id),
  });
  if (example.data) return <Example of={example.data} />;
  return (
    <Page
      title={t("query-examples.queryExample")}
      about={<Link to="/queryexamples">{t("query-examples.allQueryExamples")}</Link>}
    >
      <Card>
        <Pending of={example} what={t("query-examples.queryExample2")} bones={10} />
      </Card>
    </Page>
  );
}

function Example({ of }: { of: Details }) {
  return (
    <Page
      title={titleOf(of)}
      about={
        <Rich
          of="query-examples.aboutExample"
          values={{ time: <Time at={of.updated_at} /> }}
          tags={{ link: <Link to="/queryexamples" /> }}
        />
      }
      actions={<Actions of={of} />}
    >
      <Columns
        main={
          <>
            <Card title={t("query-examples.matchFor")}>
              <p className={`${styles.text} foreign`}>{of.definition}</p>
            </Card>
            <Card title={t("query-examples.query2")}>
              <CodeBlock text={of.query} what={t("query-examples.query")} />
            </Card>
          </>
        }
        side={
          <>
            <LinkedEntities example={of} />
            <LinkedTerms example={of} />
          </>
        }
      />
    </Page>
  );
}

function Actions({ of }: { of: Details }) {
  const [doing, setDoing] = useState<"edit" | "delete">();
  const can = useCan("QUERY_EXAMPLE", of.id);
  const navigate = useNavigate();
  const changed = useExamplesChanged();
  const path = { example_id: of.id };
  const close = () => setDoing(undefined);
  const remove = async () => {
    await send("delete", "/api/queryexample/{example_id}", { path });
    toast(t("query-examples.theQueryExampleIsDeleted"));
    await navigate({ to: "/queryexamples" });
    await changed();
  };
  return (
    <>
      {can("QUERY_EXAMPLE_UPDATE") && (
        <Button onClick={() => setDoing("edit")}>
          <Pencil aria-hidden /> {t("query-examples.edit")}
        </Button>
      )}
      {can("QUERY_EXAMPLE_DELETE") && (
        <Button variant="danger" onClick={() => setDoing("delete")}>
          <Trash2 aria-hidden /> {t("kit.delete")}
        </Button>
      )}
      {doing === "edit" && (
        <ExampleDialog
          title={t("query-examples.editTheQueryExample")}
          action={t("kit.save")}
          given={of}
          save={(body) => send("put", "/api/queryexample/{example_id}", { path, body })}
          onClose={close}
        />
      )}
      <Confirm
        open={doing === "delete"}
        onClose={close}
        title={t("query-examples.deleteThisQueryExample")}
        action={t("kit.delete")}
        onConfirm={remove}
      >
        {t("query-examples.exampleGoes", {
          title: titleOf(of),
          entities: of.linked_entities.page_info.total,
          terms: of.linked_terms.page_info.total,
        })}
      </Confirm>
    </>
  );
}

/** The data entities that an example is attached to. */
function LinkedEntities({ example: { id, linked_entities } }: { example: Details }) {
  return (
    <LinksCard
      title={t("query-examples.ofTheseDataEntities")}
      addLabel={t("query-examples.linkADataEntity")}
      links={linked_entities.items.map((one) => (
        <LinkedEntity
          key={one.id}
          of={one}
          example={id}
        />
      ))}
      form={(close) => <AddEntity example={id} onDone={close} />}
    />
  );
}

function LinkedEntity({ of, example }: { of: EntityLike; example: number }) {
  const can = useCan("DATA_ENTITY", of.id);
  return (
    <div className={styles.link}>
      <div>
        <EntityLink of={of} />
      </div>
      {can("QUERY_EXAMPLE_DATASET_DELETE") && (
        <RemoveLink
          name={nameOf(of)}
          unlink={() => unlinkEntity(of.id, example)}
          link={() => linkEntity(of.id, example)}
        />
      )}
    </div>
  );
}

function AddEntity({ example, onDone }: { example: number; onDone: () => void }) {
  const [entity, setEntity] = useState<Schema<"DataEntityRef"> | null>(null);
  const can = useCan("DATA_ENTITY", entity?.id);
  const changed = useExamplesChanged();
  const form = useForm(async (id: number) => {
    await linkEntity(id, example);
    await changed();
  }, onDone);
  const refused = entity && !can("QUERY_EXAMPLE_DATASET_CREATE")
    ? t("query-examples.youMayNotAttachToEntity")
    : undefined;
  return (
    <InlineForm
      save={t("kit.link")}
      form={form}
      onSave={() => entity ? refused || form.submit(entity.id) : onDone()}
      onCancel={onDone}
    >
      <EntityPicker
        label={t("query-examples.dataEntity")}
        autoFocus
        value={entity}
        onValue={setEntity}
        error={refused}
      />
    </InlineForm>
  );
}

/** The terms that an example is attached to. */
function LinkedTerms({ example: { id, linked_terms } }: { example: Details }) {
  return (
    <LinksCard
      title={t("kit.terms")}
      addLabel={t("query-examples.linkATerm")}
      links={linked_terms.items.map(({ term }) => (
        <LinkedTerm key={term.id} of={term} example={id} />
      ))}
      form={(close) => <AddTerm example={id} onDone={close} />}
    />
  );
}

function LinkedTerm({ of, example }: { of: Schema<"TermRef">; example: number }) {
  const can = useCan("TERM", of.id);
  return (
    <div className={styles.link}>
      <div className="truncate">
        <Link to="/terms/$id" params={{ id: String(of.id) }} title={plainText(of.definition)}>
          {of.namespace.name}:{of.name}
        </Link>
      </div>
      {can("QUERY_EXAMPLE_TERM_DELETE") && (
        <RemoveLink
          name={of.name}
          unlink={() => unlinkTerm(of.id, example)}
          link={() => linkTerm(of.id, example)}
        />
      )}
    </div>
  );
}

function AddTerm({ example, onDone }: { example: number; onDone: () => void }) {
  const [term, setTerm] = useState<Schema<"TermRef"> | null>(null);
  const can = useCan("TERM", term?.id);
  const changed = useExamplesChanged();
  const form = useForm(async (id: number) => {
    await linkTerm(id, example);
    await changed();
  }, onDone);
  const refused = term && !can("QUERY_EXAMPLE_TERM_CREATE")
    ? t("query-examples.youMayNotAttachToTerm")
    : undefined;
  return (
    <InlineForm
      save={t("kit.link")}
      form={form}
      onSave={() => term ? refused || form.submit(term.id) : onDone()}
      onCancel={onDone}
    >
      <TermPicker label={t("kit.term")} autoFocus value={term} onValue={setTerm} error={refused} />
    </InlineForm>
  );
}

/** Links of an example, with a button that shows the form of another one. */
function LinksCard(
  { title, addLabel, links, form }: {
    title: string;
    addLabel: string;
    links: ReactNode[];
    form: (close: () => void) => ReactNode;
  },
) {
  const [adding, setAdding] = useState(false);
  return (
    <Card
      title={title}
      actions={
        <IconButton small label={addLabel} onClick={() => setAdding(true)}>
          <Plus />
        </IconButton>
      }
    >
      <div className={styles.links}>
        {links}
        {links.length === 0 && !adding && (
          <span className="soft">{t("query-examples.noneYet")}</span>
        )}
        {adding && form(() => setAdding(false))}
      </div>
    </Card>
  );
}

/** Removes a link; `link` makes it again. */
function RemoveLink(
  { name, unlink, link }: {
    name: string;
    unlink: () => Promise<unknown>;
    link: () => Promise<unknown>;
  },
) {
  const changed = useExamplesChanged();
  const remove = () =>
    void doUndoable(() => unlink().then(changed), {
      done: t("query-examples.isNotLinkedAnyMore", { name }),
      refused: t("query-examples.couldNotRemoveTheLink"),
      undo: () => link().then(changed),
    });
  return (
    <IconButton small label={t("query-examples.removeTheLinkTo", { name })} onClick={remove}>
      <X />
    </IconButton>
  );
}
