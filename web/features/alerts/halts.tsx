import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { Checkbox } from "#web/kit/field.tsx";
import { useForm } from "#web/kit/form.tsx";
import { Card } from "#web/kit/page.tsx";
import { Note, Shown } from "#web/kit/states.tsx";
import { Time } from "#web/kit/time.tsx";
import { toast } from "#web/kit/toast.ts";
import { type AlertType, alertTypeText } from "#web/components/alerts.tsx";
import { useCan } from "#web/components/permissions.ts";
import { fromLocalInput, inHours, toLocalInput, UntilField } from "#web/components/time-fields.tsx";
import styles from "#web/features/alerts/alerts.module.css";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

/** Members of the configuration, with the type of alerts that each halts. */
const typeOfHalt: Record<HaltName, AlertType> = {
  failed_job_halt_until: "FAILED_JOB",
  failed_dq_test_halt_until: "FAILED_DQ_TEST",
  incompatible_schema_halt_until: "BACKWARDS_INCOMPATIBLE_SCHEMA",
  distribution_anomaly_halt_until: "DISTRIBUTION_ANOMALY",
};
const haltKinds = Object.entries(typeOfHalt) as [HaltName, AlertType][];

type HaltName = keyof Schema<"DataEntityAlertConfig">;

/** A switch of the form, and the moment that goes with it when it is on. */
interface Halt {
  on: boolean;
  /** As an input of type `datetime-local` has it. */
  until: string;
}

type Config = Schema<"DataEntityAlertConfig">;

/** Until when the entity raises no alerts of a type; saved as a whole. */
export function Halts({ entity }: { entity: number }) {
  const can = useCan("DATA_ENTITY", entity);
  const [editing, setEditing] = useState(false);
  const query = useQuery(
    read("/api/dataentities/{data_entity_id}/alert_config", { path: { data_entity_id: entity } }),
  );
  const edit = can("DATA_ENTITY_ALERT_CONFIG_UPDATE") && !editing && query.data && (
    <Button
      small
      onClick={() => setEditing(true)}
    >
      {t("alerts.change")}
    </Button>
  );
  return (
    <Card title={t("alerts.mutedUntil")} actions={edit}>
      <Shown of={query} what={t("alerts.alertConfiguration")} bones={4}>
        {(config) =>
          editing
            ? <Edit entity={entity} config={config} onClose={() => setEditing(false)} />
            : <View config={config} />}
      </Shown>
    </Card>
  );
}

/** Whether the moment lies ahead. */
const holds = (at: string | null | undefined): at is string => !!at && Date.parse(at) > Date.now();

function View({ config }: { config: Config }) {
  return (
    <div className={styles.form}>
      <p className="soft">{t("alerts.whileATypeIsMuted")}</p>
      <dl className={styles.halts}>
        {haltKinds.map(([name, type]) => (
          <div key={name}>
            <dt>{alertTypeText(type)}</dt>
            <dd>
              {holds(config[name])
                ? (
                  <strong>
                    <Rich of="alerts.silentEnds" values={{ time: <Time at={config[name]} /> }} />
                  </strong>
                )
                : <span className="soft">{t("alerts.raisesAlerts")}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Edit(
  { entity, config, onClose }: { entity: number; config: Config; onClose: () => void },
) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Record<HaltName, Halt>>(() => draftOf(config));
  const save = (halts: Record<HaltName, Halt>) =>
    send("put", "/api/dataentities/{data_entity_id}/alert_config", {
      path: { data_entity_id: entity },
      body: configOf(halts),
    });
  const form = useForm(save, async () => {
    await refresh(queries, "/api/dataentities/{data_entity_id}/alert_config");
    toast(t("alerts.saved"));
    onClose();
  });
  const set = (name: HaltName, some: Partial<Halt>) =>
    setDraft({ ...draft, [name]: { ...draft[name], ...some } });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        form.submit(draft);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.submit(draft);
      }}
    >
      {haltKinds.map(([name, type]) => (
        <div key={name}>
          <Checkbox
            label={t("alerts.isSilent", { type: alertTypeText(type) })}
            checked={draft[name].on}
            onChange={({ target }) => set(name, { on: target.checked })}
          />
          {draft[name].on && (
            <UntilField
              label={t("alerts.typeUntil", { type: alertTypeText(type) })}
              hideLabel
              value={draft[name].until}
              onValue={(until) => set(name, { until })}
              error={form.errorOf(name)}
            />
          )}
        </div>
      ))}
      {form.rest().map((text) => <Note key={text} tone="bad">{text}</Note>)}
      <div className={styles.actions}>
        <Button variant="primary" type="submit" busy={form.busy}>{t("kit.save")}</Button>
        <Button onClick={onClose}>{t("kit.cancel")}</Button>
      </div>
    </form>
  );
}

/** What is over is shown as off, with a day from now at hand. */
function draftOf(config: Config): Record<HaltName, Halt> {
  return Object.fromEntries(haltKinds.map(([name]) => {
    const at = config[name];
    const on = holds(at);
    return [name, { on, until: on ? toLocalInput(new Date(at)) : inHours(24) }];
  })) as Record<HaltName, Halt>;
}

function configOf(halts: Record<HaltName, Halt>): Config {
  return Object.fromEntries(
    haltKinds.map(([name]) => {
      const { on, until } = halts[name];
      // The service rejects an empty time; the error is shown at its field.
      return [name, on ? fromLocalInput(until) ?? "" : null];
    }),
  );
}
