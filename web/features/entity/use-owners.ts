import { send } from "#web/api/client.ts";
import { toast } from "#web/kit/toast.tsx";
import type { OwnershipOf } from "#web/components/owners.tsx";
import { undoing } from "#web/components/undo.ts";
import type { Details } from "#web/features/entity/details.ts";
import { useChanged } from "#web/features/entity/use-entity.ts";
import { t } from "#web/messages/text.ts";

interface TitleForm {
  title_name: string | null;
  propagate: boolean;
}

/**
 * Adds, changes and removes owners of an entity. Each can be taken back, but for what went to the members of a group as
 * well: of these some had the owner before.
 */
export function useOwners(of: Details) {
  const calls = useCalls(of.id);
  return {
    add: async (form: { owner_name: string } & TitleForm): Promise<void> => {
      const made = await calls.add(form);
      // One that the source of the entity declares becomes one that people gave.
      const isNew = !of.ownership?.some(({ owner }) => owner.id === made.owner.id);
      const undo = isNew && !form.propagate ? undoing(() => calls.remove(made, false)) : undefined;
      toast(t("entity.ownsItNow", { name: made.owner.name }), { undo });
    },
    retitle: async (ownership: OwnershipOf, form: TitleForm): Promise<void> => {
      await calls.retitle(ownership, form);
      const title_name = ownership.title?.name ?? null;
      const back = () => calls.retitle(ownership, { title_name, propagate: false });
      toast(t("entity.responsibilitySaved"), { undo: form.propagate ? undefined : undoing(back) });
    },
    remove: async (ownership: OwnershipOf, propagate: boolean): Promise<void> => {
      await calls.remove(ownership, propagate);
      const { owner, title } = ownership;
      const form = { owner_name: owner.name, title_name: title?.name ?? null, propagate: false };
      const undo = propagate ? undefined : undoing(() => calls.add(form));
      toast(t("entity.noLongerOwnsIt", { name: owner.name }), { undo });
    },
  };
}

/** The calls, each with what it changes of the details that are shown. */
function useCalls(id: number) {
  const changed = useChanged(id);
  const path = { data_entity_id: id };
  const without = (list: Details["ownership"], gone: OwnershipOf) =>
    (list ?? []).filter((one) => one.id !== gone.id);
  return {
    add: async (body: { owner_name: string } & TitleForm): Promise<OwnershipOf> => {
      const made = await send("post", "/api/dataentities/{data_entity_id}/ownership", {
        params: { path },
        body,
      });
      changed(({ ownership }) => ({ ownership: [...without(ownership, made), made] }));
      return made;
    },
    retitle: async (ownership: OwnershipOf, body: TitleForm): Promise<void> => {
      const params = { path: { ...path, ownership_id: ownership.id } };
      const made = await send(
        "put",
        "/api/dataentities/{data_entity_id}/ownership/{ownership_id}",
        { params, body },
      );
      changed((now) => ({
        ownership: (now.ownership ?? []).map((one) => one.id === ownership.id ? made : one),
      }));
    },
    remove: async (ownership: OwnershipOf, propagate: boolean): Promise<void> => {
      await send("delete", "/api/dataentities/{data_entity_id}/ownership/{ownership_id}", {
        params: { path: { ...path, ownership_id: ownership.id }, query: { propagate } },
      });
      changed((now) => ({ ownership: without(now.ownership, ownership) }));
    },
  };
}
