import { useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { Card } from "#web/kit/page.tsx";
import { toast } from "#web/kit/toast.tsx";
import { OwnerForm, OwnerList, type OwnershipOf } from "#web/components/owners.tsx";
import { useCan } from "#web/components/permissions.ts";
import { complain, undoing } from "#web/components/undo.ts";
import { t } from "#web/messages/text.ts";

/** Who owns a term, with which title. */
export function TermOwners({ term }: { term: Schema<"TermDetails"> }) {
  const can = useCan("TERM", term.id);
  const [adding, setAdding] = useState(false);
  const { add, update, remove } = useOwners(term.id);
  return (
    <Card
      title={t("kit.owners")}
      actions={can("TERM_OWNERSHIP_CREATE") && (
        <IconButton
          label={t("glossary.addAnOwner")}
          small
          onClick={() => setAdding(true)}
        >
          <Plus />
        </IconButton>
      )}
    >
      <OwnerList
        of={term.ownership ?? []}
        onRetitle={can("TERM_OWNERSHIP_UPDATE")
          ? ({ id }, { title_name }) => update(id, { title_name })
          : undefined}
        onRemove={can("TERM_OWNERSHIP_DELETE") ? (one) => void remove(one) : undefined}
      />
      {adding && (
        <OwnerForm
          onSend={({ owner_name, title_name }) => add({ owner_name, title_name })}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  );
}

function useOwners(term_id: number) {
  const queries = useQueryClient();
  const done = () => refresh(queries, "/api/terms", "/api/owners", "/api/titles");
  const add = async (body: Schema<"OwnershipFormData">) => {
    await send("post", "/api/terms/{term_id}/ownership", { params: { path: { term_id } }, body });
    await done();
  };
  const update = async (ownership_id: number, body: Schema<"OwnershipUpdateFormData">) => {
    const params = { path: { term_id, ownership_id } };
    await send("put", "/api/terms/{term_id}/ownership/{ownership_id}", { params, body });
    await done();
  };
  const remove = async ({ id, owner, title }: OwnershipOf) => {
    const params = { path: { term_id, ownership_id: id } };
    try {
      await send("delete", "/api/terms/{term_id}/ownership/{ownership_id}", { params });
      await done();
      const undo = { owner_name: owner.name, title_name: title?.name };
      toast(t("glossary.ownsItNoMore", { name: owner.name }), { undo: undoing(() => add(undo)) });
    } catch (error) {
      complain(t("glossary.couldNotRemoveTheOwner"), error);
    }
  };
  return { add, update, remove };
}
