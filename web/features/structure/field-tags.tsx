import { useQuery } from "@tanstack/react-query";
import { Tag } from "lucide-react";
import { useState } from "react";
import { read, send } from "#web/api/client.ts";
import { Chip, ChipRow } from "#web/kit/badge.tsx";
import { InlineForm, useForm } from "#web/kit/form.tsx";
import { SuggestField } from "#web/kit/suggest.tsx";
import { toast } from "#web/kit/toast.ts";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { complain, undoing } from "#web/components/undo.ts";
import { EditButton, Section, useFieldChanged } from "#web/features/structure/section.tsx";
import type { Field } from "#web/features/structure/tree.ts";
import { t } from "#web/messages/text.ts";

/** Tags of a field; those of its source stay as they are. */
export function FieldTags({ field, can }: { field: Field; can: boolean }) {
  const [adding, setAdding] = useState(false);
  const changed = useFieldChanged();
  const tags = field.tags ?? [];
  const own = tags.filter(({ external }) => !external).map(({ name }) => name);
  const put = async (names: string[]) => {
    await send("put", "/api/datasetfields/{dataset_field_id}/tags", {
      params: { path: { dataset_field_id: field.id } },
      body: { tags: names },
    });
    await changed();
  };
  const remove = async (name: string) => {
    try {
      await put(own.filter((one) => one !== name));
      toast(t("structure.removedTheTag", { name }), { undo: undoing(() => put(own)) });
    } catch (error) {
      complain(t("structure.couldNotRemoveTheTag"), error);
    }
  };
  if (tags.length === 0 && !can) return null;
  return (
    <Section
      title={t("kit.tags")}
      action={can && !adding && (
        <EditButton
          label={t("structure.editTheTags")}
          onClick={() => setAdding(true)}
        />
      )}
    >
      <ChipRow>
        {tags.map(({ id, name, external }) => (
          <Chip
            key={id}
            name={name}
            icon={
              <Tag aria-label={external ? t("structure.tagOfItsSource") : t("structure.tag")} />
            }
            onRemove={can && !external ? () => void remove(name) : undefined}
          />
        ))}
        {tags.length === 0 && <span className="soft">{t("structure.none")}</span>}
      </ChipRow>
      {adding && <AddTag known={own} put={put} onDone={() => setAdding(false)} />}
    </Section>
  );
}

function AddTag(
  { known, put, onDone }: {
    known: string[];
    put: (names: string[]) => Promise<void>;
    onDone: () => void;
  },
) {
  const [text, setText] = useState("");
  const query = useDebounced(text.trim());
  const { data } = useQuery(read("/api/tags", { params: { query: { page: 1, size: 10, query } } }));
  const form = useForm(put, () => setText(""));
  const add = (name: string) => {
    if (name.trim() === "") return onDone();
    form.submit([...new Set([...known, name.trim()])]);
  };
  return (
    <InlineForm
      save={t("kit.add")}
      busy={form.busy}
      onSave={() => add(text)}
      onCancel={onDone}
      messages={form.failed ? form.rest() : []}
    >
      <SuggestField
        label={t("structure.tag2")}
        autoFocus
        value={text}
        onValue={setText}
        onPick={add}
        onEnter={() => add(text)}
        items={(data?.items ?? []).map(({ name }) => name).filter((name) => !known.includes(name))}
        hint={t("structure.createdIfItDoesNot")}
      />
    </InlineForm>
  );
}
