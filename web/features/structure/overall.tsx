import { Card, Facts } from "#web/kit/page.tsx";
import { Note } from "#web/kit/states.tsx";
import { count } from "#web/kit/numbers.ts";
import type { Field } from "#web/features/structure/tree.ts";
import styles from "#web/features/structure/structure.module.css";
import { t } from "#web/messages/text.ts";

/** Stands where a chosen field will be: how well the fields are described. */
export function Overall({ fields, lost }: { fields: Field[]; lost: boolean }) {
  const some = (test: (field: Field) => unknown) =>
    t("kit.shownOf", {
      count: count(fields.filter(test).length),
      total: count(fields.length),
    });
  return (
    <Card title={t("structure.schemaSummary")}>
      <div className={styles.sections}>
        {lost && <Note>{t("structure.theFieldOfThisAddress")}</Note>}
        <Facts
          of={[
            [
              t("structure.described"),
              some((one) => one.internal_description || one.external_description),
            ],
            [t("structure.withTerms"), some(({ terms }) => terms?.length)],
            [t("structure.withTags"), some(({ tags }) => tags?.length)],
            [t("structure.withStatistics"), some(({ stats }) => stats)],
            [t("structure.keys"), some((one) => one.is_primary_key)],
          ]}
        />
        <p className="soft">
          {t("structure.chooseAFieldToSee")}
        </p>
      </div>
    </Card>
  );
}
