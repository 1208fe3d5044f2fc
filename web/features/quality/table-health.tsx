import type { Schema } from "#web/api/client.ts";
import type { Tone } from "#web/kit/badge.tsx";
import { classes } from "#web/kit/classes.ts";
import { count, plural } from "#web/kit/numbers.ts";
import { Share } from "#web/features/quality/share.tsx";
import type { Health, Rows } from "#web/features/quality/view.ts";
import { toneClass } from "#web/kit/tones.ts";
import styles from "#web/features/quality/quality.module.css";

type Tables = Schema<"TablesDashboard">;

const healthBadges: [health: Health, text: string, about: string, tone: Tone][] = [
  ["ERROR", "Error", "a test failed", "bad"],
  ["WARNING", "Warning", "a test is broken", "warn"],
  ["UNKNOWN", "Unknown", "no test has finished, or one has no result", "neutral"],
  ["HEALTHY", "Healthy", "all tests went well", "good"],
  ["NOT_MONITORED", "Not monitored", "no test covers it", "info"],
];

/** Datasets by how their tests went. */
export function TableHealth(
  { of, rows, onRows }: { of: Tables; rows: Rows | undefined; onRows: (rows: Rows) => void },
) {
  const counts = countsOf(of);
  const { monitored_tables: monitored } = of.monitored_tables;
  return (
    <div className={styles.health}>
      <Share of={healthBadges.map(([health, , , tone]) => [tone, counts[health]])} />
      <ul>
        {healthBadges.map(([health, text, about, tone]) => (
          <li key={health}>
            <button
              type="button"
              className={classes(styles.segment, toneClass(counts[health] > 0 ? tone : "neutral"))}
              aria-pressed={rows?.of === "tables" && rows.health === health}
              aria-label={`${count(counts[health])} ${text}: show them`}
              disabled={counts[health] === 0}
              onClick={() => onRows({ of: "tables", health })}
            >
              {count(counts[health])}
            </button>
            <div>
              <strong>{text}</strong> <span className="soft">{about}</span>
            </div>
          </li>
        ))}
      </ul>
      <p className="soft">{plural(monitored, "dataset")} monitored by tests</p>
    </div>
  );
}

function countsOf({ tables_health: health, monitored_tables }: Tables): Record<Health, number> {
  return {
    ERROR: health.error_tables,
    WARNING: health.warning_tables,
    UNKNOWN: health.unknown_tables,
    HEALTHY: health.healthy_tables,
    NOT_MONITORED: monitored_tables.not_monitored_tables,
  };
}
