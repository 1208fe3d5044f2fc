import { UserPlus } from "lucide-react";
import { useState } from "react";
import { IconButton } from "#web/kit/button.tsx";
import { Checkbox } from "#web/kit/field.tsx";
import { Confirm } from "#web/kit/confirm.tsx";
import { Card } from "#web/kit/page.tsx";
import { OwnerForm, OwnerList, type OwnershipOf } from "#web/components/owners.tsx";
import { AskOwner } from "#web/features/entity/ask-owner.tsx";
import type { CardOf } from "#web/features/entity/card-of.ts";
import { classesOf } from "#web/features/entity/details.ts";
import { useOwners } from "#web/features/entity/use-owners.ts";
import { t } from "#web/messages/text.ts";

/** Whose the entity is, and by which title. */
export function OwnersCard({ of, can }: CardOf) {
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<OwnershipOf>();
  const { add, retitle, remove } = useOwners(of);
  const members = classesOf(of).has("DATA_ENTITY_GROUP") ? of.items_count ?? 0 : undefined;
  return (
    <Card
      title={t("kit.owners")}
      actions={can("DATA_ENTITY_OWNERSHIP_CREATE") && (
        <IconButton
          label={t("entity.addAnOwner")}
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
      <AskOwner of={of} can={can} />
      {adding && <OwnerForm onSend={add} onClose={() => setAdding(false)} members={members} />}
      {removing && (
        <Leave
          removing={removing}
          members={members}
          onRemove={remove}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Card>
  );
}

function Leave(
  { removing, members, onRemove, onClose }: {
    removing: OwnershipOf;
    members: number | undefined;
    onRemove: (removing: OwnershipOf, propagate: boolean) => Promise<void>;
    onClose: () => void;
  },
) {
  const [propagate, setPropagate] = useState(false);
  return (
    <Confirm
      open
      onClose={onClose}
      title={t("entity.removeAsOwner", { name: removing.owner.name })}
      action={t("entity.remove")}
      onConfirm={() => onRemove(removing, propagate)}
    >
      {t("entity.theyNoLongerGetAlerts")}
      {members !== undefined && (
        <Checkbox
          checked={propagate}
          onChange={(event) => setPropagate(event.target.checked)}
          label={t("entity.alsoFromMembers", { count: members })}
        />
      )}
    </Confirm>
  );
}
