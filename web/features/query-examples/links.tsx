import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Link } from "@tanstack/react-router";
import type { Schema } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { InlineForm, useForm } from "#web/kit/form.tsx";
import { Card } from "#web/kit/page.tsx";
import { toast } from "#web/kit/toast.ts";
import { plainText } from "#web/kit/plain-markdown.ts";
import { type EntityLike, EntityLink, nameOf } from "#web/components/entity-link.tsx";
import { useCan } from "#web/components/permissions.ts";
import { EntityPicker, TermPicker } from "#web/components/pickers.tsx";
import { complain, undoing } from "#web/components/undo.ts";
import {
  linkEntity,
  linkTerm,
  unlinkEntity,
  unlinkTerm,
  useExamplesChanged,
} from "#web/features/query-examples/examples.tsx";
import styles from "#web/features/query-examples/examples.module.css";
import { t } from "#web/messages/text.ts";

/** The data entities that an example is attached to. */
export function LinkedEntities({ example }: { example: Schema<"QueryExampleDetails"> }) {
  const [adding, setAdding] = useState(false);
  const { items } = example.linked_entities;
  return (
    <Card
      title={t("query-examples.ofTheseDataEntities")}
      actions={
        <IconButton
          small
          label={t("query-examples.linkADataEntity")}
          onClick={() => setAdding(true)}
        >
          <Plus />
        </IconButton>
      }
    >
      <div className={styles.links}>
        {items.map((one) => <LinkedEntity key={one.id} of={one} example={example.id} />)}
        {items.length === 0 && !adding && (
          <span className="soft">{t("query-examples.noneYet")}</span>
        )}
        {adding && <AddEntity example={example.id} onDone={() => setAdding(false)} />}
      </div>
    </Card>
  );
}

function LinkedEntity({ of, example }: { of: EntityLike; example: number }) {
  const can = useCan("DATA_ENTITY", of.id);
  const changed = useExamplesChanged();
  const remove = async () => {
    try {
      await unlinkEntity(of.id, example);
      await changed();
      const undo = () => linkEntity(of.id, example).then(changed);
      toast(t("query-examples.isNotLinkedAnyMore", { name: nameOf(of) }), { undo: undoing(undo) });
    } catch (error) {
      complain(t("query-examples.couldNotRemoveTheLink"), error);
    }
  };
  return (
    <div className={styles.link}>
      <div>
        <EntityLink of={of} />
      </div>
      {can("QUERY_EXAMPLE_DATASET_DELETE") && (
        <IconButton
          small
          label={t("query-examples.removeTheLinkTo", { name: nameOf(of) })}
          onClick={() => void remove()}
        >
          <X />
        </IconButton>
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
      busy={form.busy}
      onSave={() => entity ? refused || form.submit(entity.id) : onDone()}
      onCancel={onDone}
      messages={form.rest()}
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
export function LinkedTerms({ example }: { example: Schema<"QueryExampleDetails"> }) {
  const [adding, setAdding] = useState(false);
  const { items } = example.linked_terms;
  return (
    <Card
      title={t("kit.terms")}
      actions={
        <IconButton
          small
          label={t("query-examples.linkATerm")}
          onClick={() => setAdding(true)}
        >
          <Plus />
        </IconButton>
      }
    >
      <div className={styles.links}>
        {items.map(({ term }) => <LinkedTerm key={term.id} of={term} example={example.id} />)}
        {items.length === 0 && !adding && (
          <span className="soft">{t("query-examples.noneYet")}</span>
        )}
        {adding && <AddTerm example={example.id} onDone={() => setAdding(false)} />}
      </div>
    </Card>
  );
}

function LinkedTerm({ of, example }: { of: Schema<"TermRef">; example: number }) {
  const can = useCan("TERM", of.id);
  const changed = useExamplesChanged();
  const remove = async () => {
    try {
      await unlinkTerm(of.id, example);
      await changed();
      const undo = () => linkTerm(of.id, example).then(changed);
      toast(t("query-examples.isNotLinkedAnyMore", { name: of.name }), { undo: undoing(undo) });
    } catch (error) {
      complain(t("query-examples.couldNotRemoveTheLink"), error);
    }
  };
  return (
    <div className={styles.link}>
      <div className="truncate">
        <Link
          to="/terms/$id"
          params={{ id: String(of.id) }}
          title={plainText(of.definition)}
        >
          {of.namespace.name}:{of.name}
        </Link>
      </div>
      {can("QUERY_EXAMPLE_TERM_DELETE") && (
        <IconButton
          small
          label={t("query-examples.removeTheLinkTo", { name: of.name })}
          onClick={() => void remove()}
        >
          <X />
        </IconButton>
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
      busy={form.busy}
      onSave={() => term ? refused || form.submit(term.id) : onDone()}
      onCancel={onDone}
      messages={form.rest()}
    >
      <TermPicker label={t("kit.term")} autoFocus value={term} onValue={setTerm} error={refused} />
    </InlineForm>
  );
}
