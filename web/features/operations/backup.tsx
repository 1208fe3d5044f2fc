import { useQuery } from "@tanstack/react-query";
import { read, type Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Card, Facts } from "#web/kit/page.tsx";
import { Note, Shown } from "#web/kit/states.tsx";
import { durationText, Time } from "#web/kit/time.tsx";
import { everyMs, Source, Unknown } from "#web/features/operations/known.tsx";
import styles from "#web/features/operations/operations.module.css";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

/** How old the newest scheduled backup is. */
export function Backup() {
  const query = useQuery({ ...read("/api/ops/backup"), refetchInterval: everyMs });
  return (
    <Card title={t("operations.backup")}>
      <Shown of={query} what={t("operations.backup2")} bones={3}>
        {(backup) => (
          <div className={styles.stack}>
            {backup.scheduled ? <Scheduled of={backup} /> : (
              <Note tone="warn">
                <Rich of="operations.noBackupsScheduled" tags={{ code: <code /> }} />
              </Note>
            )}
            <Source>{t("operations.theManifestsInThatDirectory")}</Source>
          </div>
        )}
      </Shown>
    </Card>
  );
}

function Scheduled({ of }: { of: Schema<"OpsBackup"> }) {
  const { state, cause, newest_at: newest, every_seconds: every, directory } = of;
  return (
    <Facts
      of={[
        [
          t("operations.newest"),
          state === "unknown"
            ? <Unknown key="newest" cause={cause} />
            : newest
            ? <Time key="newest" at={newest} />
            : <Badge key="newest" tone="warn">{t("operations.none")}</Badge>,
        ],
        [t("operations.every"), durationText(every ?? 0)],
        [t("operations.directory"), <span key="directory" className="foreign">{directory}</span>],
      ]}
    />
  );
}
