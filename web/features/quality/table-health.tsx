import type { Schema } from "#web/api/client.ts";
import type { Tone } from "#web/kit/badge.tsx";
import { classes } from "#web/kit/classes.ts";
import { count } from "#web/kit/numbers.ts";
import { Share } from "#web/features/quality/share.tsx";
import { type Health, healthTexts, type Rows } from "#web/features/quality/view.ts";
import { toneClass } from "#web/kit/tones.ts";
import styles from "#web/features/quality/quality.module.css";
import { type PlainKey, t } from "#web/messages/text.ts";

type Tables = Schema<"TablesDashboard">;

const healthBadges: [health: Health, about: PlainKey, tone: Tone][] = [
  ["ERROR", "quality.aTestFailed", "bad"],
  ["WARNING", "quality.aTestIsBroken", "warn"],
  ["UNKNOWN", "quality.noTestHasFinished", "neutral"],
  ["HEALTHY", "quality.allTestsWentWell", "good"],
  ["NOT_MONITORED", "quality.noTestCoversIt", "info"],
];

/** Datasets by how their tests went. */
export function TableHealth(
  { of, rows, onRows }: { of: Tables; rows: Rows | undefined; onRows: (rows: Rows) => void },
) {
  const counts = countsOf(of);
  const { monitored_tables: monitored } = of.monitored_tables;
  return (
    <div className={styles.health}>
      <Share of={healthBadges.map(([health, , tone]) => [tone, counts[health]])} />
      <ul>
        {healthBadges.map(([health, about, tone]) => (
          <li key={health}>
            <button
              type="button"
              className={classes(styles.segment, toneClass(counts[health] > 0 ? tone : "neutral"))}
              aria-pressed={rows?.of === "tables" && rows.health === health}
              aria-label={t("quality.showDatasets", {
                count: count(counts[health]),
                health: t(healthTexts[health]),
              })}
              disabled={counts[health] === 0}
              onClick={() => onRows({ of: "tables", health })}
            >
              {count(counts[health])}
            </button>
            <div>
              <strong>{t(healthTexts[health])}</strong> <span className="soft">{t(about)}</span>
            </div>
          </li>
        ))}
      </ul>
      <p className="soft">{t("quality.datasetsMonitored", { count: monitored })}</p>
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
