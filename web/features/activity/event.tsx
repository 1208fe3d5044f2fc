import { Bot, Undo2, User } from "lucide-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { words } from "#web/kit/numbers.ts";
import { Time } from "#web/kit/time.tsx";
import { Button } from "#web/kit/button.tsx";
import { toast } from "#web/kit/toast.ts";
import { EntityLink } from "#web/components/entity-link.tsx";
import { type Permission, useCan } from "#web/components/permissions.ts";
import { complain } from "#web/components/undo.ts";
import { askDetails } from "#web/components/entity-details.ts";
import { type Change, changesOf } from "#web/features/activity/changes.ts";
import { isSame, type Reversal, reversalOf } from "#web/features/activity/reversal.ts";
import styles from "#web/features/activity/activity.module.css";
import { t } from "#web/messages/text.ts";

/** One event: who did what to which entity, and what it changed. */
export function Event(
  { of, who, entity }: {
    of: Schema<"Activity">;
    who: string;
    /** Whose page it is, if it is that of one. */
    entity: number | undefined;
  },
) {
  const { event_type, created_at, data_entity, system_event } = of;
  return (
    <li className={styles.event}>
      <span className={styles.who}>
        {system_event ? <Bot aria-hidden /> : <User aria-hidden />}
        <span className="truncate">{who}</span>
      </span>
      <div className={styles.what}>
        <div className={styles.line}>
          <strong>{words(event_type)}</strong>
          {entity === undefined && data_entity && <EntityLink of={data_entity} tab="activity" />}
          {entity !== undefined && <Revert of={of} entity={entity} />}
        </div>
        {event_type !== "DATA_ENTITY_CREATED" && <Changes of={changesOf(of)} />}
      </div>
      <span className={styles.when}>
        <Time at={created_at} />
      </span>
    </li>
  );
}

function Changes({ of }: { of: Change[] }) {
  if (of.length === 0) return null;
  return (
    <dl className={styles.changes}>
      {of.map((change, at) => (
        <div key={at}>
          <dt>{change.name}</dt>
          <dd className="foreign">
            {change.kind === "text"
              ? (
                <>
                  {change.before && <del>{change.before}</del>}{" "}
                  {change.after && <ins>{change.after}</ins>}
                  {!change.after && <span className="soft">{t("activity.removed")}</span>}
                </>
              )
              : (
                <>
                  {change.removed.map((one) => <del key={one}>{one}</del>)}
                  {change.added.map((one) => <ins key={one}>{one}</ins>)}
                </>
              )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Takes back a change of the description or of an owner, for those who may change it; not what was changed again since. */
function Revert({ of, entity }: { of: Schema<"Activity">; entity: number }) {
  const reversal = reversalOf(of);
  const can = useCan("DATA_ENTITY", entity);
  const queries = useQueryClient();
  const work = useMutation({
    mutationFn: async (wanted: Reversal) => {
      if (!await isStillSo(entity, wanted)) return false;
      await revert(entity, wanted);
      return true;
    },
    onSuccess: (done) => {
      if (done) {
        toast(
          reversal?.kind === "owner"
            ? t("activity.theOwnerIsAsBefore")
            : t("activity.theDescriptionIsAsBefore"),
        );
        return;
      }
      toast(t("activity.itWasChangedAgainSince"), {
        tone: "bad",
        about: t("activity.nothingIsReverted"),
      });
    },
    onError: (error) => complain(t("activity.itIsNotReverted"), error),
    onSettled: () => refresh(queries, "/api/dataentities", "/api/activity"),
  });
  if (of.system_event || !reversal || !can(permissionFor(reversal))) return null;
  return (
    <Button small variant="quiet" busy={work.isPending} onClick={() => work.mutate(reversal)}>
      <Undo2 aria-hidden />
      {t("activity.revert")}
    </Button>
  );
}

function permissionFor(reversal: Reversal): Permission {
  if (reversal.kind === "description") return "DATA_ENTITY_DESCRIPTION_UPDATE";
  if (!reversal.to) return "DATA_ENTITY_OWNERSHIP_DELETE";
  return reversal.from ? "DATA_ENTITY_OWNERSHIP_UPDATE" : "DATA_ENTITY_OWNERSHIP_CREATE";
}

/** Whether the entity still is what the event made it. */
async function isStillSo(entity: number, reversal: Reversal): Promise<boolean> {
  const now = await askDetails(entity, { view: false });
  if (reversal.kind === "description") return (now.internal_description ?? "") === reversal.from;
  const given = now.ownership?.find(({ owner, external }) =>
    owner.name === reversal.name && !external
  );
  const is = given && { owner_name: given.owner.name, title_name: given.title?.name ?? null };
  return isSame(is, reversal.from);
}

/**
 * Makes the entity what it was before the event.
 *
 * @throws {ApiError} refused, or not reached
 */
async function revert(entity: number, reversal: Reversal): Promise<void> {
  const path = { data_entity_id: entity };
  if (reversal.kind === "description") {
    const body = { internal_description: reversal.to || null };
    await send("put", "/api/dataentities/{data_entity_id}/description", { params: { path }, body });
    return;
  }
  const { name, from, to } = reversal;
  const title = { title_name: to?.title_name ?? null, propagate: false };
  if (!from) {
    const body = { owner_name: name, ...title };
    await send("post", "/api/dataentities/{data_entity_id}/ownership", { params: { path }, body });
    return;
  }
  const { ownership } = await askDetails(entity, { view: false });
  const given = ownership?.find(({ owner, external }) => owner.name === name && !external);
  if (!given) return;
  const params = { path: { ...path, ownership_id: given.id } };
  const one = "/api/dataentities/{data_entity_id}/ownership/{ownership_id}";
  if (to) await send("put", one, { params, body: title });
  else await send("delete", one, { params });
}
