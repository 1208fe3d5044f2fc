import { Pencil } from "lucide-react";
import { useState } from "react";
import { send } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { TextField } from "#web/kit/field.tsx";
import { useForm } from "#web/kit/form.ts";
import { InlineForm } from "#web/kit/inline-form.tsx";
import { toast } from "#web/kit/toast.tsx";
import { nameOf } from "#web/components/entity-link.tsx";
import { undoing } from "#web/components/undo.ts";
import type { Details } from "#web/features/entity/details.ts";
import { useChanged } from "#web/features/entity/use-entity.ts";
import { t } from "#web/messages/text.ts";

/** The name as the title of the page, and as a field while it is edited. */
export function NameEdit({ of, may }: { of: Details; may: boolean }) {
  const [edited, setEdited] = useState<string>();
  const changed = useChanged(of.id);
  const put = async (internal_name: string | null) => {
    const answer = await send("put", "/api/dataentities/{data_entity_id}/name", {
      params: { path: { data_entity_id: of.id } },
      body: { internal_name },
    });
    changed({ internal_name: answer.internal_name });
  };
  const form = useForm((text: string) => put(text.trim() || null), () => {
    const before = of.internal_name ?? null;
    setEdited(undefined);
    toast(t("entity.nameSaved"), { undo: undoing(() => put(before)) });
  });
  const close = () => {
    setEdited(undefined);
    form.reset();
  };
  if (edited === undefined) {
    return (
      <>
        <h1 className="foreign" title={nameOf(of)}>{nameOf(of)}</h1>
        {may && (
          <IconButton
            label={t("entity.editTheName")}
            small
            onClick={() => setEdited(of.internal_name ?? "")}
          >
            <Pencil />
          </IconButton>
        )}
      </>
    );
  }
  const error = form.errorOf("internal_name");
  return (
    <InlineForm
      onSave={() => form.submit(edited)}
      onCancel={close}
      busy={form.busy}
      messages={form.rest()}
    >
      <TextField
        label={t("entity.displayName")}
        hint={t("entity.leaveEmptyToUseThe", { externalName: of.external_name })}
        value={edited}
        onChange={(event) => setEdited(event.target.value)}
        error={error}
        autoFocus
        size={48}
      />
    </InlineForm>
  );
}
