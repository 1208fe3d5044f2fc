import { useQuery } from "@tanstack/react-query";
import { read, type Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Card, Facts } from "#web/kit/page.tsx";
import { Note, Shown } from "#web/kit/states.tsx";
import { durationText, Time } from "#web/kit/time.tsx";
import { everyMs, Source, Unknown } from "#web/features/operations/known.tsx";
import styles from "#web/features/operations/operations.module.css";
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
                No backups are scheduled: set <code>backup.directory</code>. Those that{" "}
                <code>npm run backup</code> writes elsewhere are not known here.
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
          "Newest",
          state === "unknown"
            ? <Unknown key="newest" cause={cause} />
            : newest
            ? <Time key="newest" at={newest} />
            : <Badge key="newest" tone="warn">{t("operations.none")}</Badge>,
        ],
        ["Every", durationText(every ?? 0)],
        ["Directory", <span key="directory" className="foreign">{directory}</span>],
      ]}
    />
  );
}
