import { useQuery } from "@tanstack/react-query";
import { read, type Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { bytes } from "#web/kit/numbers.ts";
import { Card, Facts } from "#web/kit/page.tsx";
import { Note, Shown } from "#web/kit/states.tsx";
import { Time } from "#web/kit/time.tsx";
import { changesText, everyMs, Known, Unknown } from "#web/features/operations/known.tsx";
import styles from "#web/features/operations/operations.module.css";
import { t } from "#web/messages/text.ts";

/** The slot that changes of alerts are read from. */
export function Slot() {
  const query = useQuery({ ...read("/api/ops/slot"), refetchInterval: everyMs });
  return (
    <Card title={t("operations.replicationSlot")}>
      <Shown of={query} what={t("operations.slot")} bones={5}>
        {({ state, cause, enabled, facts }) => (
          <div className={styles.stack}>
            {!enabled && <Note>{t("operations.notificationsAreOffAlertsAre")}</Note>}
            {state === "unknown" && <Unknown cause={cause} />}
            {facts && <SlotFacts facts={facts} />}
          </div>
        )}
      </Shown>
    </Card>
  );
}

function SlotFacts({ facts }: { facts: Schema<"OpsSlotFacts"> }) {
  const size = (value: number | null | undefined) => value == null ? <Unknown /> : bytes(value);
  return (
    <>
      {facts.invalidation_reason && (
        <Note tone="bad">
          {t("operations.slotGivenUp", { reason: facts.invalidation_reason })}
        </Note>
      )}
      <Facts
        of={[
          [t("operations.slotName"), <span key="s" className="foreign">{facts.slot}</span>],
          [
            t("operations.state"),
            facts.exists
              ? (
                <Badge key="state" tone={facts.active ? "good" : "warn"}>
                  {facts.active ? t("operations.readByANotifier") : t("operations.presentNoReader")}
                </Badge>
              )
              : <Badge key="state" tone="warn">{t("operations.missing")}</Badge>,
          ],
          [t("operations.notConfirmed"), size(facts.lag_bytes)],
          [t("operations.retainedOnDisk"), size(facts.retained_bytes)],
          [
            t("operations.notAnnounced"),
            <Known key="n" value={facts.unannounced} text={changesText} />,
          ],
          [
            t("operations.announcedSince"),
            <Time key="t" at={facts.announced_since} none={t("kit.notYet")} />,
          ],
          [
            t("operations.publication"),
            facts.publication_exists ? facts.publication : (
              <Badge key="p" tone="warn">
                {t("operations.isMissing", { name: facts.publication })}
              </Badge>
            ),
          ],
          [t("operations.walLevel"), facts.wal_level],
        ]}
      />
    </>
  );
}
