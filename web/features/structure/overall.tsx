import { Card, Facts } from "#web/kit/page.tsx";
import { Note } from "#web/kit/states.tsx";
import { count } from "#web/kit/numbers.ts";
import type { Field } from "#web/features/structure/tree.ts";
import styles from "#web/features/structure/structure.module.css";
import { t } from "#web/messages/text.ts";

/** Stands where a chosen field will be: how well the fields are described. */
export function Overall({ fields, lost }: { fields: Field[]; lost: boolean }) {
  const some = (test: (field: Field) => unknown) =>
    `${count(fields.filter(test).length)} of ${count(fields.length)}`;
  return (
    <Card title={t("structure.schemaSummary")}>
      <div className={styles.sections}>
        {lost && <Note>{t("structure.theFieldOfThisAddress")}</Note>}
        <Facts
          of={[
            ["Described", some((one) => one.internal_description || one.external_description)],
            ["With terms", some(({ terms }) => terms?.length)],
            ["With tags", some(({ tags }) => tags?.length)],
            ["With statistics", some(({ stats }) => stats)],
            ["Keys", some((one) => one.is_primary_key)],
          ]}
        />
        <p className="soft">
          {t("structure.chooseAFieldToSee")}
        </p>
      </div>
    </Card>
  );
}
