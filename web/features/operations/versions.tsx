import { useQuery } from "@tanstack/react-query";
import { read } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { listText } from "#web/kit/numbers.ts";
import { Card, Facts } from "#web/kit/page.tsx";
import { Shown } from "#web/kit/states.tsx";
import { everyMs, Known, Source, Unknown } from "#web/features/operations/known.tsx";
import styles from "#web/features/operations/operations.module.css";
import { t } from "#web/messages/text.ts";

/** Releases of the processes, of the schema and of the runtime; those of engines are in their table. */
export function Versions() {
  const summary = useQuery({ ...read("/api/ops/summary"), refetchInterval: everyMs });
  const processes = useQuery({ ...read("/api/ops/workers"), refetchInterval: everyMs });
  const byRelease = Map.groupBy(processes.data?.items ?? [], ({ version }) => version);
  const releases = [...byRelease].map(([version, items]) =>
    t("operations.releaseOf", { version, count: items.length })
  );
  return (
    <Card title={t("operations.versions")}>
      <Shown of={summary} what={t("operations.versions2")} bones={4}>
        {({ release, schema_version: schema, runtime }) => (
          <div className={styles.stack}>
            <Facts
              of={[
                [
                  t("operations.thisProcess"),
                  <span key="release" className="foreign">{release}</span>,
                ],
                [
                  t("operations.allProcesses"),
                  processes.data?.state === "known"
                    ? (
                      <Badge key="all" tone={byRelease.size > 1 ? "warn" : "neutral"}>
                        {listText(releases)}
                      </Badge>
                    )
                    : <Unknown key="all" cause={processes.data?.cause} />,
                ],
                [t("operations.schema"), <Known key="schema" value={schema} />],
                [t("operations.runtime"), <span key="runtime" className="foreign">{runtime}</span>],
              ]}
            />
            <Source>{t("operations.theRespondingProcessTheReports")}</Source>
          </div>
        )}
      </Shown>
    </Card>
  );
}
