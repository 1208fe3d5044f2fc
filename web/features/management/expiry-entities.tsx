import { Link } from "@tanstack/react-router";
import type { Schema } from "#web/api/client.ts";
import { type Column, More, Table } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { nameOf } from "#web/components/entity-link.tsx";
import styles from "#web/features/management/expiry.module.css";
import { t } from "#web/messages/text.ts";

type Stale = Schema<"StaleEntity">;

/** What would leave, held back or not. */
export function ExpiryEntities(
  { items, total, act, onMore, busy }: {
    items: Stale[];
    total: number;
    act: "edges" | "delete";
    onMore?: () => void;
    busy: boolean;
  },
) {
  return (
    <section className={styles.stack}>
      <h3>{t("management.wouldLeave", { act })}</h3>
      <div className={styles.list}>
        <Table
          label={t("management.assetsToExpire")}
          columns={columns()}
          rows={items}
          keyOf={({ id }) => id}
        />
        <More
          shown={items.length}
          total={total}
          hasNext={onMore !== undefined && items.length < total}
          busy={busy}
          onMore={() => onMore?.()}
        />
      </div>
    </section>
  );
}

const columns = (): Column<Stale>[] => [
  { name: t("management.entity"), cell: (one) => <Names of={one} /> },
  { name: t("management.broughtLast"), tight: true, cell: ({ seen_at }) => <Time at={seen_at} /> },
];

function Names({ of: { id, name, catrn } }: { of: Stale }) {
  const shown = nameOf({ id, external_name: name, catrn });
  return (
    <div className={styles.names}>
      <Link to="/dataentities/$id/overview" params={{ id: String(id) }} className="foreign">
        {shown}
      </Link>
      {shown !== catrn && <span className="mono foreign soft">{catrn}</span>}
    </div>
  );
}
