import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read } from "#web/api/client.ts";
import { count } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { reads } from "#web/features/home/reads.ts";
import styles from "#web/features/home/home.module.css";
import { t } from "#web/messages/text.ts";

/** Codes of what a search can list as missing, and of the class of datasets. */
const [noOwner, noDescription, noTests, dataset] = ["1", "2", "3", "1"];

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
  const lacking = (gaps: string) =>
    ({ to: "/search", search: { entity_classes: dataset, gaps } }) as const;
  const tested = tests?.monitored_tables.monitored_tables ?? 0;
  const failed = tests?.tables_health.error_tables ?? 0;
  const bars: HealthBar[] = [
    {
      text: t("home.datasetsWithAnOwner"),
      of: all - coverage.without_owner,
      all,
      missing: "home.withoutAnOwner",
      ...lacking(noOwner),
    },
    {
      text: t("home.describedDatasets"),
      of: all - coverage.without_description,
      all,
      missing: "home.withoutADescription",
      ...lacking(noDescription),
    },
    {
      text: t("home.testedDatasets"),
      of: all - coverage.without_tests,
      all,
      missing: "home.withoutTests",
      ...lacking(noTests),
    },
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
