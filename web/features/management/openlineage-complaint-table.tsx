import { Link } from "@tanstack/react-router";
import type { Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { plural } from "#web/kit/numbers.ts";
import { type Column, Table } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { explained } from "#web/features/management/openlineage-words.ts";
import styles from "#web/features/management/openlineage.module.css";

type Complaint = Schema<"OpenLineageComplaint">;

export function ComplaintTable({ complaints }: { complaints: Complaint[] }) {
  return (
    <Table
      label="Complaints"
      columns={columns}
      rows={complaints}
      keyOf={({ namespace, name, kind, reason }) => JSON.stringify([namespace, name, kind, reason])}
    />
  );
}

const columns: Column<Complaint>[] = [
  { name: "Of", cell: (one) => <Subject of={one} /> },
  { name: "What it means", cell: (one) => <Meaning of={one} /> },
  { name: "What to do", cell: (one) => <Advice of={one} /> },
  { name: "Last", tight: true, cell: (one) => <Often of={one} /> },
];

function Often({ of: { at, count: times } }: { of: Complaint }) {
  return (
    <>
      <Time at={at} />
      <br />
      <span className="soft">{plural(times, "time")}</span>
    </>
  );
}

function Subject({ of: { namespace, name } }: { of: Complaint }) {
  if (!namespace && !name) return <span className="soft">an event that does not tell</span>;
  return (
    <div className={styles.two}>
      <span className="foreign">{name}</span>
      <span className="foreign soft">{namespace}</span>
    </div>
  );
}

function Meaning({ of: { kind, reason } }: { of: Complaint }) {
  const { badge, tone, what } = explained(kind, reason);
  return (
    <div className={styles.two}>
      <Badge tone={tone}>{badge}</Badge>
      <span>{what}</span>
      {what !== reason && <code className={styles.reason}>{reason}</code>}
    </div>
  );
}

function Advice({ of: { kind, reason, namespace, name } }: { of: Complaint }) {
  const { todo, dataset } = explained(kind, reason);
  return (
    <div className={styles.two}>
      <span>{todo}</span>
      {dataset && (
        <Link
          to="/management/$section"
          params={{ section: "openlineage" }}
          search={{ view: "name", namespace, name } as never}
        >
          Explain this name
        </Link>
      )}
    </div>
  );
}
