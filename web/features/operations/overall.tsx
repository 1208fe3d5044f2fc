import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { read, type Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { words } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Shown } from "#web/kit/states.tsx";
import { everyMs, Source } from "#web/features/operations/known.tsx";
import styles from "#web/features/operations/operations.module.css";
import { t } from "#web/messages/text.ts";

type Problem = Schema<"OpsProblem">;

const states = {
  OK: { tone: "good", icon: CircleCheck, text: "operations.noProblems" },
  WARNING: { tone: "warn", icon: TriangleAlert, text: "operations.worksWithWarnings" },
  ERROR: { tone: "bad", icon: CircleAlert, text: "operations.somethingHasFailed" },
} as const;

/** Whether the instance works, and every problem with what to do. */
export function Overall() {
  const query = useQuery({ ...read("/api/ops/summary"), refetchInterval: everyMs });
  return (
    <Card title={t("operations.overallState")}>
      <Shown of={query} what={t("operations.overallState2")} bones={2}>
        {({ state, problems }) => {
          const { tone, icon: Icon, text } = states[state];
          return (
            <div className={styles.stack}>
              <div>
                <Badge tone={tone} icon={<Icon aria-hidden />}>{t(text)}</Badge>{" "}
                <span className="soft">
                  {problems.length > 0 && t("operations.problemCount", { count: problems.length })}
                </span>
              </div>
              {problems.length > 0 && <Problems of={problems} />}
              <Source>
                {t("operations.enginesWorkersConsumerLagLineage")}
              </Source>
            </div>
          );
        }}
      </Shown>
    </Card>
  );
}

function Problems({ of }: { of: Problem[] }) {
  return (
    <ul className={styles.problems} aria-label={t("operations.problems")}>
      {of.map(({ level, part, subject, message, action }) => (
        <li key={`${part} ${subject} ${message}`}>
          <Badge tone={level === "ERROR" ? "bad" : "warn"}>{words(level)}</Badge>
          <div className={styles.two}>
            <span>
              <strong className="foreign">{subject}</strong>{" "}
              <span className="foreign">{message}</span>
            </span>
            {action && <span className="soft">{action}</span>}
          </div>
        </li>
      ))}
    </ul>
  );
}
