import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { send } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { Markdown } from "#web/kit/markdown.tsx";
import { EditButton, InlineForm, useForm } from "#web/kit/form.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { Card } from "#web/kit/page.tsx";
import { Note } from "#web/kit/states.tsx";
import { toast } from "#web/kit/toast.ts";
import { askDetails, detailsKey } from "#web/components/entity-details.tsx";
import { TermText } from "#web/components/term-link.tsx";
import { undoing } from "#web/components/undo.ts";
import { type CardOf, type Details, useChanged } from "#web/features/entity/use-entity.ts";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";

const MarkdownEditor = lazyComponent(() =>
  import("#web/components/markdown-editor.tsx").then((all) => all.MarkdownEditor)
);

export function DescriptionCard({ of, can }: CardOf) {
  const [editing, setEditing] = useState(false);
  const may = can("DATA_ENTITY_DESCRIPTION_UPDATE");
  const { internal_description: own, external_description: theirs } = of;
  const edit = may && !editing;
  return (
    <Card
      title={t("kit.description")}
      actions={edit && own && (
        <EditButton
          label={t("entity.editTheDescription")}
          onClick={() => setEditing(true)}
        />
      )}
    >
      <div className={styles.stack}>
        {editing
          ? <Editor of={of} onDone={() => setEditing(false)} />
          : own
          ? <TermText text={own} />
          : (
            <div className={styles.line}>
              <span className="soft">{t("entity.noDescription")}</span>
              {may && (
                <Button small onClick={() => setEditing(true)}>{t("entity.addDescription")}</Button>
              )}
            </div>
          )}
        {theirs && (
          <div className={styles.part}>
            <h3>{t("entity.fromTheSourceSystem")}</h3>
            <Markdown text={theirs} />
          </div>
        )}
      </div>
    </Card>
  );
}

function Editor({ of, onDone }: { of: Details; onDone: () => void }) {
  // What it was when editing began: another text there now is somebody else's.
  const [before] = useState(of.internal_description ?? "");
  const [text, setText] = useState(before);
  const { put, theirs, check } = usePut(of.id);
  const form = useForm(async (overwrite: boolean) => {
    if (!overwrite && !await check(before)) return false;
    await put(text);
    return true;
  }, (saved) => {
    if (!saved) return;
    onDone();
    toast(t("entity.descriptionSaved"), { undo: undoing(() => put(before)) });
  });
  return (
    <InlineForm form={form} onSave={() => form.submit(false)} onCancel={onDone}>
      <MarkdownEditor
        label={t("kit.description")}
        hideLabel
        value={text}
        onValue={setText}
        error={form.errorOf("internal_description")}
        autoFocus
      />
      {theirs !== undefined && (
        <Note tone="warn">
          {t("entity.someoneElseChangedItIn")}
          <Markdown text={theirs} none={t("entity.nothing")} />
          <div className={styles.buttons}>
            <Button small onClick={() => form.submit(true)}>{t("entity.overwriteWithMine")}</Button>
            <Button small onClick={onDone}>{t("entity.keepTheirs")}</Button>
          </div>
        </Note>
      )}
    </InlineForm>
  );
}

function usePut(id: number) {
  const queries = useQueryClient();
  const changed = useChanged(id);
  const [theirs, setTheirs] = useState<string>();
  return {
    /** What somebody else has made of it since. */
    theirs,
    /** Whether it still is what it was; shows what it is, if not. */
    check: async (before: string): Promise<boolean> => {
      const data = await askDetails(id, { view: false });
      const now = data.internal_description ?? "";
      if (now === before) return true;
      setTheirs(now);
      queries.setQueryData(detailsKey(id), data);
      return false;
    },
    put: async (text: string): Promise<void> => {
      const answer = await send("put", "/api/dataentities/{data_entity_id}/description", {
        path: { data_entity_id: id },
        body: { internal_description: text.trim() || null },
      });
      changed(({ terms }) => ({
        internal_description: answer.internal_description || null,
        terms: [...(terms ?? []).filter((one) => !one.is_description_link), ...answer.terms],
      }));
    },
  };
}
