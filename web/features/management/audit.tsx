import { ScrollText } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { usePages } from "#web/api/pages.ts";
import { auditEventTypes } from "#web/api/values.gen.ts";
import { SearchField, SelectField, TextField } from "#web/kit/field.tsx";
import { wordOptions, words } from "#web/kit/numbers.ts";
import { Card, Page, pageStyles, Toolbar } from "#web/kit/page.tsx";
import { oneOf, useListSearch, useParamsOfView } from "#web/kit/search-params.ts";
import { Empty } from "#web/kit/states.tsx";
import { type Column, textColumn, timeColumn } from "#web/kit/table.tsx";
import { PagedTable } from "#web/components/paged-table.tsx";
import styles from "#web/features/management/management.module.css";
import { t } from "#web/messages/text.ts";

type Event = Schema<"AuditEvent">;
/** Who signed in or was refused, and who changed what others may do. */
export function Audit() {
  const [params, change] = useParamsOfView();
  const actor = useListSearch("actor");
  const of = usePages("/api/audit", {
    query: {
      type: oneOf(params.type, auditEventTypes),
      actor: actor.query || undefined,
      begin_date: momentOf(params.from, "00:00:00"),
      end_date: momentOf(params.to, "23:59:59.999"),
    },
  });
  return (
    <Page title={t("management.audit")} about={t("management.signInsRefusalsAndChanges")}>
      <Toolbar>
        <SearchField
          label={t("management.userExactMatch")}
          {...actor.field}
          className={pageStyles.grow}
        />
        <SelectField
          label={t("kit.whatHappened")}
          hideLabel
          value={params.type ?? ""}
          options={[["", t("management.everything")], ...wordOptions(auditEventTypes)]}
          onChange={({ target }) => change({ type: target.value }, true)}
        />
        <DayField
          label={t("management.from")}
          value={params.from}
          onValue={(from) => change({ from }, true)}
        />
        <DayField label={t("kit.to")} value={params.to} onValue={(to) => change({ to }, true)} />
      </Toolbar>
      <Card flush>
        <PagedTable<Event>
          of={of}
          label={t("management.events")}
          columns={columns()}
          empty={
            <Empty title={t("management.noRequests")} icon={<ScrollText aria-hidden />}>
              {t("management.olderEntriesAreRemovedBy")}
            </Empty>
          }
        />
      </Card>
    </Page>
  );
}

function DayField(
  { label, value, onValue }: {
    label: string;
    value: string | undefined;
    onValue: (value: string) => void;
  },
) {
  return (
    <div className={styles.day}>
      <span aria-hidden className="soft">{label}</span>
      <TextField
        label={label}
        hideLabel
        type="date"
        value={value ?? ""}
        onChange={({ target }) => onValue(target.value)}
      />
    </div>
  );
}

/** A time of a day in the time zone of the browser; undefined for what is no day. */
function momentOf(day: string | undefined, time: string): string | undefined {
  const at = Date.parse(`${day}T${time}`);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

const columns = (): Column<Event>[] => [
  timeColumn(t("management.when"), ({ recorded_at }) => recorded_at),
  { name: t("management.what"), cell: ({ type }) => words(type) },
  {
    name: t("management.who"),
    cell: ({ actor, actor_provider, actor_kind }) => (
      <span className="foreign">
        {actor ?? words(actor_kind)}{" "}
        {actor_provider && <span className="soft">{actor_provider}</span>}
      </span>
    ),
  },
  textColumn(t("management.on"), ({ subject }) => subject ?? "–"),
  textColumn(t("management.from"), ({ address }) => address ?? "–", "mono"),
];
