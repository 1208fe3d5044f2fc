import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read } from "#web/api/client.ts";
import { count } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { reads } from "#web/features/home/reads.ts";
import styles from "#web/features/home/home.module.css";
import { t } from "#web/messages/text.ts";

/** The class of datasets in a search. */
const dataset = "1";

interface HealthBar {
  text: string;
  /** How many of `all` have it. */
  of: number;
  all: number;
  /** How many do not, as `3 without an owner`. */
  missing:
    | "home.withoutAnOwner"
    | "home.withoutADescription"
    | "home.withoutTests"
    | "home.withAFailedTest";
  to: "/search" | "/quality";
  search: Record<string, string>;
}

/** How much of the catalogue is owned, described and tested; each bar leads to those that are not. Left out without datasets. */
export function Health() {
  const coverage = useQuery(reads.coverage).data;
  const tests = useQuery(read("/api/dataqatests/runs")).data?.tables_dashboard;
  if (!coverage || coverage.datasets === 0) return null;
  const all = coverage.datasets;
  // `gaps`: the code of what a search can list as missing.
  const lacking = (text: string, count: number, missing: HealthBar["missing"], gaps: string) => ({
    text,
    of: all - count,
    all,
    missing,
    to: "/search" as const,
    search: { entity_classes: dataset, gaps },
  });
  const { without_owner, without_description, without_tests } = coverage;
  const tested = tests?.monitored_tables.monitored_tables ?? 0;
  const failed = tests?.tables_health.error_tables ?? 0;
  const bars: HealthBar[] = [
    lacking(t("home.datasetsWithAnOwner"), without_owner, "home.withoutAnOwner", "1"),
    lacking(t("home.describedDatasets"), without_description, "home.withoutADescription", "2"),
    lacking(t("home.testedDatasets"), without_tests, "home.withoutTests", "3"),
    {
      text: t("home.testedDatasetsWithoutAFailed"),
      of: tested - failed,
      all: tested,
      missing: "home.withAFailedTest",
      to: "/quality",
      search: { rows: "tables", health: "ERROR" },
    },
  ];
  return (
    <Card title={t("home.catalogueHealth")}>
      <ul className={styles.entities}>
        {bars.map((bar) => bar.all > 0 && <Bar key={bar.text} bar={bar} />)}
      </ul>
    </Card>
  );
}

function Bar({ bar: { text, of, all, missing, to, search } }: { bar: HealthBar }) {
  return (
    <li className={styles.health}>
      <span className={styles.spread}>
        <span>{text}</span>
        <span className={styles.counts}>
          {t("kit.shownOf", { count: count(of), total: count(all) })}
        </span>
      </span>
      <span className={styles.bar} aria-hidden>
        <span style={{ width: `${(of / all) * 100}%` }} />
      </span>
      {all > of && (
        <Link to={to} search={search as never} className={styles.missing}>
          {t(missing, { count: count(all - of) })}
        </Link>
      )}
    </li>
  );
}
