import { Download, RefreshCw } from "lucide-react";
import { useQueryClient } from "@tanstack/react-query";
import { refresh } from "#web/api/client.ts";
import { Button, buttonClass } from "#web/kit/button.tsx";
import { Page } from "#web/kit/page.tsx";
import { Allowed } from "#web/components/allowed.tsx";
import { useCan } from "#web/components/permissions.ts";
import { Backup } from "#web/features/operations/backup.tsx";
import { DeadLetters } from "#web/features/operations/dead-letters.tsx";
import { Engines } from "#web/features/operations/engines.tsx";
import { History } from "#web/features/operations/history.tsx";
import { Lag } from "#web/features/operations/lag.tsx";
import { Overall } from "#web/features/operations/overall.tsx";
import { Projection } from "#web/features/operations/projection.tsx";
import { Slot } from "#web/features/operations/slot.tsx";
import { SlowStatements } from "#web/features/operations/slow-statements.tsx";
import { Versions } from "#web/features/operations/versions.tsx";
import { Workers } from "#web/features/operations/workers.tsx";
import styles from "#web/features/operations/operations.module.css";
import { t } from "#web/messages/text.ts";

/** The state of the instance, each part separately: a part that does not respond is unknown and affects no other. */
export function OperationsScreen() {
  const queries = useQueryClient();
  const manage = useCan()("OPERATIONS_MANAGE");
  return (
    <Page
      title={t("operations.operations")}
      about={t("operations.stateOfThisInstanceUpdated")}
      actions={
        <>
          {manage && (
            <a className={buttonClass()} href="api/ops/support-bundle" download>
              <Download aria-hidden />
              {t("operations.supportBundle")}
            </a>
          )}
          <Button onClick={() => void refresh(queries, "/api/ops/")}>
            <RefreshCw aria-hidden />
            {t("operations.refresh")}
          </Button>
        </>
      }
    >
      <Allowed permission="OPERATIONS_VIEW" what={t("operations.howTheInstanceStands")}>
        <Overall />
        <DeadLetters />
        <History />
        <SlowStatements />
        <div className={styles.parts}>
          <Engines />
          <Lag />
          <Projection />
          <Slot />
          <Backup />
          <Versions />
        </div>
        <Workers />
      </Allowed>
    </Page>
  );
}
