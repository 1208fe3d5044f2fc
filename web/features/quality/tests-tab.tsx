import { useParams } from "@tanstack/react-router";
import { SlaCard } from "#web/features/quality/sla-card.tsx";
import { TestHistory } from "#web/features/quality/test-history.tsx";
import { TestList } from "#web/features/quality/test-list.tsx";
import { TestReport } from "#web/features/quality/test-report.tsx";
import styles from "#web/features/quality/quality.module.css";

/** Tests of a dataset: what they demand, how they went, and how severe each is. */
export function TestsTab() {
  const id = Number(useParams({ strict: false }).id);
  return (
    <div className={styles.stack}>
      <div className={styles.cards}>
        <SlaCard dataset={id} />
        <TestReport dataset={id} />
      </div>
      <TestHistory dataset={id} />
      <TestList dataset={id} />
    </div>
  );
}
