import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read } from "#web/api/client.ts";
import { count } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import styles from "#web/features/home/home.module.css";

/** How much of the catalogue is tested and how that went; each bar leads to what is missing. Left out where there is no dataset. */
export function Health() {
  const { data } = useQuery(read("/api/dataqatests/runs"));
  if (!data) return null;
  const { tables_health: health, monitored_tables: tables } = data.tables_dashboard;
  const tested = tables.monitored_tables;
  const all = tested + tables.not_monitored_tables;
  if (all === 0) return null;
  return (
    <Card title="Catalogue health">
      <ul className={styles.entities}>
        <Bar text="Datasets tested" of={tested} all={all} missing="NOT_MONITORED" />
        {tested > 0 && (
          <Bar
            text="Tested datasets without a failed test"
            of={tested - health.error_tables}
            all={tested}
            missing="ERROR"
          />
        )}
      </ul>
    </Card>
  );
}

function Bar(
  { text, of, all, missing }: { text: string; of: number; all: number; missing: string },
) {
  return (
    <li>
      <Link
        to="/quality"
        search={{ rows: "tables", health: missing } as never}
        className={styles.health}
      >
        <span className={styles.spread}>
          <span>{text}</span>
          <span className="soft">{count(of)} of {count(all)}</span>
        </span>
        <span className={styles.bar} aria-hidden>
          <span style={{ width: `${(of / all) * 100}%` }} />
        </span>
      </Link>
    </li>
  );
}
