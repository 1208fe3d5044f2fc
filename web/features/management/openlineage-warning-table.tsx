import { Link } from "@tanstack/react-router";
import type { Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { type Column, Table } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { explained } from "#web/features/management/openlineage-warning-texts.ts";
import styles from "#web/features/management/openlineage.module.css";
import { t } from "#web/messages/text.ts";

type IntakeWarning = Schema<"OpenLineageComplaint">;

export function IntakeWarningTable({ warnings }: { warnings: IntakeWarning[] }) {
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
