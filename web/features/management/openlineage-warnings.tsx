import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { Link } from "@tanstack/react-router";
import { read, type Schema } from "#web/api/client.ts";
import { SelectField } from "#web/kit/field.tsx";
import { count } from "#web/kit/numbers.ts";
import { Card, Toolbar } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { type Column, More, Table } from "#web/kit/table.tsx";
import { Badge } from "#web/kit/badge.tsx";
import { Time } from "#web/kit/time.tsx";
import styles from "#web/features/management/openlineage.module.css";
import { t } from "#web/messages/text.ts";
import { explained } from "#web/features/management/warning-texts.ts";

type IntakeWarning = Schema<"OpenLineageComplaint">;

/** As many as the service keeps. */
const all = 1_000;
/** Rows that are shown at once. */
const page = 50;
/** Milliseconds between two looks. */
const everyMs = 15_000;

/** What was refused or left out, with what it means and what to do. */
export function IntakeWarnings() {
  const [{ of }] = useParamsOfView();
  const query = useQuery({
    ...read("/api/openlineage/complaints", { query: { namespace: of, limit: all } }),
    refetchInterval: everyMs,
  });
  return (
    <>
      <Namespaces />
      <Card flush>
        <Shown of={query} what={t("management.complaints")} bones={8}>
          {({ items }) => items.length === 0 ? <None of={of} /> : <Rows key={of} items={items} />}
        </Shown>
      </Card>
    </>
  );
}

/** The namespaces that there are intake warnings of; what the address names is one of them, though there may be none now. */
function Namespaces() {
  const [{ of = "" }, change] = useParamsOfView();
  const { data } = useQuery(read("/api/openlineage/complaints", { query: { limit: all } }));
  const found = new Map<string, number>(of ? [[of, 0]] : []);
  for (const { namespace } of data?.items ?? []) {
    if (namespace) found.set(namespace, (found.get(namespace) ?? 0) + 1);
  }
  const names = [...found].sort(([a], [b]) => a < b ? -1 : 1);
  return (
    <div className={styles.bar}>
      <Toolbar>
        <SelectField
          label={t("kit.namespace")}
          hideLabel
          value={of}
          options={[
            ["", t("management.everyNamespace")],
            ...names.map(([name, times]) => [name, `${name} (${count(times)})`] as const),
          ]}
          onChange={({ target }) => change({ of: target.value }, true)}
        />
        <span className="soft">{t("management.theLast1000Kinds")}</span>
      </Toolbar>
    </div>
  );
}

function Rows({ items }: { items: IntakeWarning[] }) {
  const [max, setMax] = useState(page);
  return (
    <>
      <IntakeWarningTable warnings={items.slice(0, max)} />
      <More
        shown={Math.min(max, items.length)}
        total={items.length}
        hasNext={max < items.length}
        onMore={() => setMax(max + page)}
      />
    </>
  );
}

function None({ of }: { of: string | undefined }) {
  return of
    ? (
      <Empty title={t("management.noRejectedEvents")}>
        {t("management.noEventOfThisNamespace")}
      </Empty>
    )
    : (
      <Empty title={t("management.noRejectedEvents")} icon={<CircleCheck aria-hidden />}>
        {t("management.refusedEventsAndDroppedParts")}
      </Empty>
    );
}

function IntakeWarningTable({ warnings }: { warnings: IntakeWarning[] }) {
  return (
    <Table
      label={t("management.rejectedEvents")}
      columns={columns()}
      rows={warnings}
      keyOf={({ namespace, name, kind, reason }) => JSON.stringify([namespace, name, kind, reason])}
    />
  );
}

const columns = (): Column<IntakeWarning>[] => [
  { name: t("management.subject"), cell: (one) => <Subject of={one} /> },
  { name: t("management.result"), cell: (one) => <Meaning of={one} /> },
  { name: t("management.whatToDo"), cell: (one) => <Advice of={one} /> },
  { name: t("management.lastTime"), tight: true, cell: (one) => <Often of={one} /> },
];

function Often({ of: { at, count: times } }: { of: IntakeWarning }) {
  return (
    <>
      <Time at={at} />
      <br />
      <span className="soft">{t("management.times", { count: times })}</span>
    </>
  );
}

function Subject({ of: { namespace, name } }: { of: IntakeWarning }) {
  if (!namespace && !name) {
    return <span className="soft">{t("management.anEventThatDoesNot")}</span>;
  }
  return (
    <div className={styles.two}>
      <span className="foreign">{name}</span>
      <span className="foreign soft">{namespace}</span>
    </div>
  );
}

function Meaning({ of: { kind, reason, namespace } }: { of: IntakeWarning }) {
  const { badge, tone, what } = explained(kind, reason, namespace);
  return (
    <div className={styles.two}>
      <Badge tone={tone}>{badge}</Badge>
      <span>{what}</span>
      {what !== reason && <code className={styles.reason}>{reason}</code>}
    </div>
  );
}

function Advice({ of: { kind, reason, namespace, name } }: { of: IntakeWarning }) {
  const { todo, dataset } = explained(kind, reason, namespace);
  return (
    <div className={styles.two}>
      <span>{todo}</span>
      {dataset && (
        <Link
          to="/management/$section"
          params={{ section: "openlineage" }}
          search={{ view: "name", namespace, name } as never}
        >
          {t("management.resolveThisName")}
        </Link>
      )}
    </div>
  );
}
