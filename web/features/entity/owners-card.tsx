import { UserPlus } from "lucide-react";
import { useState } from "react";
import { send } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { Checkbox } from "#web/kit/field.tsx";
import { Confirm } from "#web/kit/confirm.tsx";
import { Card } from "#web/kit/page.tsx";
import { toast } from "#web/kit/toast.tsx";
import { OwnerForm, OwnerList, type OwnershipOf } from "#web/components/owners.tsx";
import type { CardOf } from "#web/features/entity/card-of.ts";
import { classesOf, type Details } from "#web/features/entity/details.ts";
import { useChanged } from "#web/features/entity/use-entity.ts";

/** Whose the entity is, and by which title. */
export function OwnersCard({ of, can }: CardOf) {
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<OwnershipOf>();
  const { add, retitle } = useOwners(of);
  const members = classesOf(of).has("DATA_ENTITY_GROUP") ? of.items_count ?? 0 : undefined;
  return (
    <Card
      title="Owners"
      actions={can("DATA_ENTITY_OWNERSHIP_CREATE") && (
        <IconButton
          label="Add an owner"
          small
          onClick={() => setAdding(true)}
        >
          <UserPlus />
        </IconButton>
      )}
    >
      <OwnerList
        of={of.ownership ?? []}
        onRetitle={can("DATA_ENTITY_OWNERSHIP_UPDATE") ? retitle : undefined}
        onRemove={can("DATA_ENTITY_OWNERSHIP_DELETE") ? setRemoving : undefined}
        members={members}
      />
      {adding && <OwnerForm onSend={add} onClose={() => setAdding(false)} members={members} />}
      {removing && (
        <Leave
          of={of}
          removing={removing}
          members={members}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Card>
  );
}

function useOwners(of: Details) {
  const changed = useChanged(of.id);
  const path = { data_entity_id: of.id };
  return {
    add: async (form: { owner_name: string; title_name: string | null; propagate: boolean }) => {
      const made = await send("post", "/api/dataentities/{data_entity_id}/ownership", {
        params: { path },
        body: form,
      });
      // One that its source told of becomes the one that is given.
      changed((now) => {
        const others = (now.ownership ?? []).filter(({ id }) => id !== made.id);
        return { ownership: [...others, made] };
      });
      toast(`${made.owner.name} owns it now`);
    },
    retitle: async (
      ownership: OwnershipOf,
      form: { title_name: string | null; propagate: boolean },
    ) => {
      const made = await send(
        "put",
        "/api/dataentities/{data_entity_id}/ownership/{ownership_id}",
        {
          params: { path: { ...path, ownership_id: ownership.id } },
          body: form,
        },
      );
      changed((now) => ({
        ownership: (now.ownership ?? []).map((one) => one.id === ownership.id ? made : one),
      }));
      toast("Responsibility saved");
    },
  };
}

function Leave(
  { of, removing, members, onClose }: {
    of: Details;
    removing: OwnershipOf;
    members: number | undefined;
    onClose: () => void;
  },
) {
  const [propagate, setPropagate] = useState(false);
  const changed = useChanged(of.id);
  const remove = async () => {
    await send("delete", "/api/dataentities/{data_entity_id}/ownership/{ownership_id}", {
      params: {
        path: { data_entity_id: of.id, ownership_id: removing.id },
        query: { propagate },
      },
    });
    changed((now) => ({ ownership: (now.ownership ?? []).filter(({ id }) => id !== removing.id) }));
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Remove ${removing.owner.name} as owner?`}
      action="Remove"
      onConfirm={remove}
    >
      They no longer get alerts of this asset and lose permissions that come from owning it.
      {members !== undefined && (
        <Checkbox
          checked={propagate}
          onChange={(event) => setPropagate(event.target.checked)}
          label={`Also from its ${members} members, and theirs`}
        />
      )}
    </Confirm>
  );
}
