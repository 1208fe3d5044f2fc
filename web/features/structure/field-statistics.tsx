import { Facts } from "#web/kit/page.tsx";
import { Section } from "#web/features/structure/section.tsx";
import { type Share, shareText, statisticsOf } from "#web/features/structure/statistics.ts";
import type { Field } from "#web/features/structure/tree.ts";
import { Fragment } from "react";
import styles from "#web/features/structure/structure.module.css";
import { t } from "#web/messages/text.ts";

/** What its source counted of the values of a field. `rows`: of the dataset. */
export function FieldStatistics({ field, rows }: { field: Field; rows: number | undefined }) {
  const statistics = statisticsOf(field.stats, rows);
  if (!statistics) return null;
  return (
    <Section title={t("structure.statistics")}>
      <div className={styles.bars}>
        {statistics.shares.map((one) => (
          <Fragment key={one.name}>
            <span>{one.name}</span>
            <Bar of={one} />
            <span>{shareText(one)}</span>
          </Fragment>
        ))}
      </div>
      {statistics.facts.length > 0 && <Facts of={statistics.facts} />}
    </Section>
  );
}

function Bar({ of: { share } }: { of: Share }) {
  if (share === undefined) return <span />;
  return (
    <svg className={styles.bar} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden>
      <rect className={styles.ground} width="100" height="8" rx="2" />
      <rect className={styles.fill} width={Math.max(share > 0 ? 1 : 0, share * 100)} height="8" />
    </svg>
  );
}
