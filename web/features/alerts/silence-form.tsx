import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { alertTypes } from "#web/api/values.gen.ts";
import { Button } from "#web/kit/button.tsx";
import { Combobox } from "#web/kit/combobox.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { type FieldProps, SelectField, TextField, useTyped } from "#web/kit/field.tsx";
import { useForm } from "#web/kit/form.tsx";
import { idsOf, oneOf, useParamsOfView } from "#web/kit/search-params.ts";
import { Bones, Note } from "#web/kit/states.tsx";
import { toast } from "#web/kit/toast.ts";
import { type AlertType, alertTypeText } from "#web/components/alerts.tsx";
import { readDetails } from "#web/components/entity-details.tsx";
import { EntityPicker, OwnerPicker } from "#web/components/pickers.tsx";
import { type FacetValue, useFacetValues } from "#web/components/facets.tsx";
import { fromLocalInput, inHours, UntilField } from "#web/components/time-fields.tsx";
import { nameOf } from "#web/components/entity-link.tsx";
import type { SilenceDraft } from "#web/features/alerts/actions.tsx";
import type { Alert } from "#web/features/alerts/groups.ts";
import styles from "#web/features/alerts/alerts.module.css";
import { t } from "#web/messages/text.ts";
import { alertTypeOptions } from "#web/features/alerts/severity.tsx";

/** The form, while the address asks for it (`new=1`), filled with the entity and the type that it names. */
export function NewSilence() {
  const [params, change] = useParamsOfView();
  const isOpen = params.new === "1";
  const id = idsOf(params.entity)[0];
  const { data, isPending } = useQuery({
    ...readDetails(id ?? 0),
    enabled: isOpen && id !== undefined,
  });
  if (!isOpen || (id !== undefined && isPending)) return null;
  const entity = id !== undefined && data ? data as Schema<"DataEntityRef"> : null;
  const close = () => change({ new: undefined, entity: undefined, type: undefined });
  return (
    <SilenceForm
      entity={entity}
      type={oneOf(params.type, alertTypes) ?? ""}
      onClose={close}
    />
  );
}

const formId = "new-silence";
const fields = ["entity_id", "namespace_id", "owner_id", "alert_type", "until", "comment"] as const;
type Errors = Partial<Record<(typeof fields)[number], string>>;

function SilenceForm(
  { entity, type, onClose }: Pick<SilenceDraft, "entity" | "type"> & { onClose: () => void },
) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState<SilenceDraft>(() => ({
    entity,
    type,
    namespace: null,
    owner: null,
    until: inHours(24),
    comment: "",
  }));
  const form = useForm(create, async () => {
    toast(t("alerts.silenceCreated"));
    onClose();
    await refresh(queries, "/api/notifications/silences", "/api/alerts/impact");
  });
  const set = (some: Partial<SilenceDraft>) => setDraft({ ...draft, ...some });
  const errors: Errors = Object.fromEntries(fields.map((field) => [field, form.errorOf(field)]));
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("alerts.newSilence")}
      about={t("alerts.matchesAlertsThatMeetAll")}
      actions={
        <>
          <Button onClick={onClose}>{t("kit.cancel")}</Button>
          <Button variant="primary" type="submit" form={formId} busy={form.busy}>
            {t("alerts.createSilence")}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          form.submit(draft);
        }}
      >
        <Fields draft={draft} set={set} errors={errors} filled={entity !== null} />
        {form.rest().map((text) => <Note key={text} tone="bad">{text}</Note>)}
        <SilencePreview draft={draft} />
      </form>
    </Dialog>
  );
}

function Fields(
  { draft, set, errors, filled }: {
    draft: SilenceDraft;
    set: (some: Partial<SilenceDraft>) => void;
    errors: Errors;
    /** The rest is chosen already: only the reason is left to say. */
    filled: boolean;
  },
) {
  return (
    <>
      <EntityPicker
        label={t("alerts.entity")}
        value={draft.entity}
        onValue={(entity) => set({ entity })}
        error={errors.entity_id}
      />
      <div className={styles.pair}>
        <NamespacePicker
          label={t("kit.namespace")}
          value={draft.namespace}
          onValue={(namespace) => set({ namespace })}
          error={errors.namespace_id}
        />
        <OwnerPicker
          label={t("kit.owner")}
          value={draft.owner}
          onValue={(owner) => set({ owner })}
          error={errors.owner_id}
        />
      </div>
      <SelectField
        label={t("kit.type")}
        value={draft.type}
        options={[["", t("alerts.anyType")], ...alertTypeOptions()]}
        onChange={({ target }) => set({ type: target.value as AlertType | "" })}
        error={errors.alert_type}
      />
      <UntilField
        label={t("alerts.until")}
        value={draft.until}
        onValue={(until) => set({ until })}
        error={errors.until}
      />
      <TextField
        label={t("alerts.why")}
        hint={t("alerts.shownWithTheSilenceEnter")}
        autoFocus={filled}
        value={draft.comment}
        onChange={({ target }) => set({ comment: target.value })}
        error={errors.comment}
      />
    </>
  );
}

const create = ({ entity, namespace, owner, type, until, comment }: SilenceDraft) =>
  send("post", "/api/notifications/silences", {
    body: {
      entity_id: entity?.id ?? null,
      namespace_id: namespace?.id ?? null,
      owner_id: owner?.id ?? null,
      alert_type: type || null,
      // An empty field is the service's to refuse, next to the field.
      until: fromLocalInput(until) ?? "",
      comment: comment.trim() || null,
    },
  });

/** Alerts that are looked through, and those that are named. */
const max = 1_000;
const named = 6;

/** Which alerts that are open now the silence would meet. */
function SilencePreview({ draft }: { draft: SilenceDraft }) {
  const { entity, namespace, owner, type } = draft;
  const nothing = !entity && !namespace && !owner && !type;
  const ofEntity = Boolean(entity && !namespace && !owner);
  const page = { status: "OPEN", page: 1, size: max } as const;
  const all = useQuery({
    ...read("/api/alerts/list", {
      query: { ...page, namespace_id: namespace?.id, owner_ids: owner ? [owner.id] : undefined },
    }),
    enabled: !nothing && !ofEntity,
  });
  const own = useQuery({
    ...read("/api/dataentities/{data_entity_id}/alerts/list", {
      path: { data_entity_id: entity?.id ?? 0 },
      query: page,
    }),
    enabled: ofEntity,
  });
  const { data, error } = ofEntity ? own : all;
  if (nothing) return <Note>{t("alerts.chooseWhatIsToBe")}</Note>;
  if (error) return <Note tone="warn">{t("alerts.couldNotDetermineTheMatching")}</Note>;
  if (!data) return <Bones lines={2} />;
  return <Met alerts={data.filter((alert) => meets(alert, draft))} cut={data.length === max} />;
}

function meets(alert: Alert, { entity, type }: SilenceDraft): boolean {
  return (!entity || alert.data_entity?.id === entity.id) && (!type || alert.type === type);
}

function Met({ alerts, cut }: { alerts: Alert[]; cut: boolean }) {
  const rest = alerts.length - named;
  return (
    <Note tone={alerts.length > 0 ? "good" : "info"}>
      <strong>
        {cut
          ? t("alerts.atLeastMetNow", { count: alerts.length })
          : t("alerts.metNow", { count: alerts.length })}
      </strong>
      <ul className={styles.met}>
        {alerts.slice(0, named).map((alert) => (
          <li key={alert.id} className="truncate">
            {t("alerts.typeAndWhat", {
              type: alertTypeText(alert.type),
              what: alert.data_entity ? nameOf(alert.data_entity) : alert.data_source?.name ?? "",
            })}
          </li>
        ))}
        {rest > 0 && <li>{t("alerts.andMore", { count: rest })}</li>}
      </ul>
    </Note>
  );
}

/** A namespace that is there already. */
function NamespacePicker(
  props: FieldProps & { value: FacetValue | null; onValue: (value: FacetValue | null) => void },
) {
  const [query, onText] = useTyped();
  return (
    <Combobox
      {...props}
      items={useFacetValues("namespace", query)}
      textOf={({ name }) => name}
      keyOf={({ id }) => id}
      onText={onText}
      empty={t("components.noSuchNamespace")}
    />
  );
}
