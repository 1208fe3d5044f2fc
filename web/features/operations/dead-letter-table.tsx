import type { Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { bytes } from "#web/kit/numbers.ts";
import { type Column, Table } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import styles from "#web/features/operations/operations.module.css";
import { t } from "#web/messages/text.ts";

export type DeadLetter = Schema<"OpsDeadLetter">;

export function DeadLetterTable(
  { deadLetters, ticked, onTicked }: {
    deadLetters: DeadLetter[];
    ticked: ReadonlySet<string>;
    /** Given where the caller may deal with them. */
    onTicked?: (ids: ReadonlySet<string>) => void;
  },
) {
  const tick: Column<DeadLetter> = {
    name: t("operations.select"),
    hideName: true,
    tight: true,
    cell: ({ id }) => (
      <input
        type="checkbox"
        aria-label={t("operations.selectDeadLetter", { id })}
        checked={ticked.has(id)}
        onChange={() => onTicked?.(ticked.symmetricDifference(new Set([id])))}
      />
    ),
  };
  return (
    <Table
      label={t("operations.deadLetters")}
      columns={onTicked ? [tick, ...columns()] : columns()}
      rows={deadLetters}
      keyOf={({ id }) => id}
    />
  );
}

const columns = (): Column<DeadLetter>[] => [
  { name: t("operations.failed"), tight: true, cell: ({ failed_at }) => <Time at={failed_at} /> },
  {
    name: t("operations.reason"),
    cell: ({ reason, message }) => (
      <div className={styles.two}>
        <strong className="foreign">{reason}</strong>
        <span className="foreign">{message}</span>
      </div>
    ),
  },
  {
    name: t("operations.cameFrom"),
    cell: ({ topic, partition, offset, key }) => (
      <div className={styles.two}>
        <span className="foreign">{topic} {partition ?? "?"}-{offset ?? "?"}</span>
        {key && <span className="foreign soft">{key}</span>}
      </div>
    ),
  },
  {
    name: t("operations.record"),
    cell: ({ beginning, bytes: size, cut }) => (
      <details>
        <summary>
          {bytes(size)} {cut && <Badge tone="warn">{t("operations.cutCannotBeReplayed")}</Badge>}
        </summary>
        <pre className={styles.beginning}>{beginning ?? t("operations.binaryContent")}</pre>
      </details>
    ),
  },
];
