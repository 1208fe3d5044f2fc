import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { useCan } from "#web/components/permissions.ts";
import { RunStateBadge } from "#web/features/management/connection-run.tsx";
import {
  SettingFields,
  settingsOf,
  type SettingsSchema,
  textsOf,
} from "#web/features/management/connection-settings.tsx";
import { ManagedList, useManaged } from "#web/features/management/managed-list.tsx";
import { Button } from "#web/kit/button.tsx";
import { Checkbox, SelectField, TextField } from "#web/kit/field.tsx";
import { FormDialog, useForm } from "#web/kit/form.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { Note } from "#web/kit/states.tsx";
import { type Column, textColumn } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { t } from "#web/messages/text.ts";

type Connection = Schema<"Connection">;

/** Paths whose answers are old when a connection has changed. */
const connectionPaths = ["/api/connections", "/api/datasources"];

const ConnectionRuns = lazyComponent(() =>
  import("#web/features/management/connection-runs.tsx").then((all) => all.ConnectionRuns)
);
const DescribeFile = lazyComponent(() =>
  import("#web/features/management/describe-file.tsx").then((all) => all.DescribeFile)
);

/** Connections: sources that the catalogue reads by itself. */
export function Connections() {
  const manage = useCan()("CONNECTION_MANAGE");
  const [shown, setShown] = useState<Connection>();
  const [isDescribing, setDescribing] = useState(false);
  const connectors = useQuery({ ...read("/api/connectors"), staleTime: Infinity }).data;
  const list = useManaged("/api/connections");
  return (
    <>
      <ManagedList<Connection>
        title={t("management.connections")}
        about={t("management.sourcesThatTributaryReadsOn")}
        what="connection"
        {...list}
        columns={columns()}
        controls={manage && (
          <Button onClick={() => setDescribing(true)}>{t("management.describeAFile")}</Button>
        )}
        form={(close, row) =>
          connectors && (
            <ConnectionDialog
              of={row}
              connectors={connectors}
              onClose={close}
              onDone={setShown}
            />
          )}
        canCreate={manage && connectors !== undefined}
        canEdit={() => manage}
        actions={(row) => (
          <Button small onClick={() => setShown(row)}>
            {t("management.runsOf", { name: row.name })}
          </Button>
        )}
        remove={{
          can: () => manage,
          send: ({ id }) =>
            send("delete", "/api/connections/{connection_id}", { path: { connection_id: id } }),
          about: () => <p>{t("management.itsHistoryIsDeletedWhat")}</p>,
          touches: connectionPaths,
        }}
        empty={t("management.connectASourceAndIts")}
      />
      {isDescribing && <DescribeFile onClose={() => setDescribing(false)} />}
      {shown && <ConnectionRuns of={shown} canRun={manage} onClose={() => setShown(undefined)} />}
    </>
  );
}

const columns = (): Column<Connection>[] => [
  textColumn(t("kit.name"), ({ name }) => name),
  {
    name: t("management.source"),
    cell: ({ data_source_catrn: catrn }) => <span className="foreign mono">{catrn}</span>,
  },
  {
    name: t("management.lastRun"),
    cell: ({ last_run: run }) => run ? <RunStateBadge state={run.state} /> : "–",
  },
  {
    name: t("management.nextRun"),
    tight: true,
    cell: ({ paused, next_run_at: at }) =>
      paused ? t("management.paused") : at ? <Time at={at} /> : t("management.byHand"),
  },
];

interface ConnectionDialogProps {
  of: Connection | undefined;
  connectors: Schema<"ConnectorList">;
  onClose: () => void;
  onDone: (saved: Connection) => void;
}

/** The form of a connection; its settings come from the schema of its connector. */
function ConnectionDialog(props: ConnectionDialogProps) {
  const { of, connectors, onClose } = props;
  const { connector, choose, schema, texts, setTexts } = useSettings(of, connectors);
  const [name, setName] = useState(of?.name ?? "");
  const [minutes, setMinutes] = useState(of ? String(of.schedule_minutes ?? "") : "60");
  const [paused, setPaused] = useState(of?.paused ?? true);
  const form = useSaving(props, connector.name);
  return (
    <FormDialog
      wide
      title={of
        ? t("management.edit", { name: of.name })
        : t("management.connect", { title: connector.title })}
      about={of ? undefined : t("management.saveItThenTestIt")}
      save={of ? t("kit.save") : t("kit.create")}
      form={form}
      onClose={onClose}
      onSave={() =>
        form.submit({
          name: name.trim(),
          settings: settingsOf(schema, texts),
          schedule_minutes: minutes === "" ? null : Number(minutes),
          paused,
        })}
    >
      {!of && (
        <SelectField
          label={t("management.source")}
          value={connector.name}
          options={connectors.items.map((one) => [one.name, one.title] as const)}
          onChange={({ target }) => choose(target.value)}
        />
      )}
      <TextField label={t("kit.name")} autoFocus={!of} {...form.field("name", name, setName)} />
      {!connectors.stores_secrets && (
        <Note tone="info">{t("management.passwordsCannotBeStoredHere")}</Note>
      )}
      <SettingFields
        schema={schema}
        values={texts}
        onValue={(setting, value) => setTexts(new Map(texts).set(setting, value))}
        errorOf={form.errorOf}
        stored={of?.secrets.map(({ name }) => name) ?? []}
      />
      <SelectField
        label={t("management.schedule")}
        options={schedulesFor(minutes)}
        {...form.field("schedule_minutes", minutes, setMinutes)}
      />
      <Checkbox
        label={t("management.pausedManualRunsOnly")}
        checked={paused}
        onChange={({ target }) => setPaused(target.checked)}
      />
    </FormDialog>
  );
}

/** The chosen connector with the texts of its settings; another one begins with its defaults. */
function useSettings(of: Connection | undefined, connectors: Schema<"ConnectorList">) {
  const [kind, setKind] = useState<string>(of?.connector ?? connectors.items[0]!.name);
  const connector = connectors.items.find((one) => one.name === kind) ?? connectors.items[0]!;
  const schema = connector.settings_schema as SettingsSchema;
  const [texts, setTexts] = useState(() => textsOf(schema, of?.settings));
  const choose = (name: string) => {
    const { settings_schema } = connectors.items.find((one) => one.name === name)!;
    setKind(name);
    setTexts(textsOf(settings_schema as SettingsSchema));
  };
  return { connector, choose, schema, texts, setTexts };
}

function useSaving(
  { of, onClose, onDone }: ConnectionDialogProps,
  connector: Connection["connector"],
) {
  const queries = useQueryClient();
  return useForm(
    (body: Schema<"ConnectionUpdateFormData">) =>
      of
        ? send("put", "/api/connections/{connection_id}", { path: { connection_id: of.id }, body })
        : send("post", "/api/connections", { body: { ...body, connector } }),
    async (saved) => {
      onClose();
      onDone(saved);
      await refresh(queries, ...connectionPaths);
    },
  );
}

/** Choices of minutes between two runs, among them what is chosen. */
function schedulesFor(minutes: string): (readonly [minutes: string, text: string])[] {
  const usual = [
    ["15", t("management.every15Minutes")],
    ["60", t("management.everyHour")],
    ["360", t("management.every6Hours")],
    ["1440", t("management.everyDay")],
    ["", t("management.manually")],
  ] as const;
  return usual.some(([value]) => value === minutes)
    ? [...usual]
    : [[minutes, t("management.everyMinutes", { count: Number(minutes) })], ...usual];
}
