import { useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import type { paths } from "#web/api/paths.gen.ts";
import { read, type Schema } from "#web/api/client.ts";
import { Badge, type Tone } from "#web/kit/badge.tsx";
import { Button } from "#web/kit/button.tsx";
import { count, words } from "#web/kit/numbers.ts";
import { Card, Facts } from "#web/kit/page.tsx";
import { Shown } from "#web/kit/states.tsx";
import { toast } from "#web/kit/toast.ts";
import styles from "#web/features/quality/quality.module.css";
import { type PlainKey, t } from "#web/messages/text.ts";

const badge: keyof paths = "/api/datasets/{data_entity_id}/sla";

const colours: Record<Schema<"SLAColour">, { tone: Tone; about: PlainKey }> = {
  GREEN: { tone: "good", about: "quality.withinSla" },
  YELLOW: { tone: "warn", about: "quality.somethingFailsOrIsUntested" },
  RED: { tone: "bad", about: "quality.slaViolated" },
};

/** How the dataset keeps what its tests demand, and the picture of that to show elsewhere. */
export function SlaCard({ dataset }: { dataset: number }) {
  const query = useQuery(
    read("/api/datasets/{data_entity_id}/sla_report", {
      params: { path: { data_entity_id: dataset } },
    }),
  );
  return (
    <Card title={t("quality.sla")}>
      <Shown of={query} what={t("quality.sla")} bones={5}>
        {(report) => <Report report={report} dataset={dataset} />}
      </Shown>
    </Card>
  );
}

function Report(
  { report, dataset }: { report: Schema<"DataSetSLAReport">; dataset: number },
) {
  const { tone, about } = colours[report.sla_colour];
  return (
    <div className={styles.stack}>
      <div className={styles.line}>
        <Badge tone={tone}>{words(report.sla_colour)}</Badge>
        <span className="soft">{t(about)}</span>
      </div>
      <Facts
        of={[
          [
            t("quality.weightKept"),
            t("quality.countOfTotal", {
              count: count(report.success),
              total: count(report.total),
            }),
          ],
          ...report.severity_weights.map(({ severity, count: weight }) =>
            [t("quality.testsWeigh", { severity }), count(weight)] as const
          ),
        ]}
      />
      <div className={styles.line}>
        <img
          className={styles.badge}
          src={new URL(
            `${badge.slice(1).replace("{data_entity_id}", String(dataset))}?format=svg`,
            document.baseURI,
          ).href}
          alt={t("quality.slaBadge", { colour: words(report.sla_colour) })}
        />
        <Button
          small
          title={t("quality.forAPageElsewhereIt")}
          onClick={() => void copy(report.sla_ref)}
        >
          <Copy aria-hidden />
          {t("quality.copyItsAddress")}
        </Button>
      </div>
    </div>
  );
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("kit.linkCopied"));
  } catch {
    // Browsers give the clipboard to pages over HTTPS only.
    toast(t("quality.theBrowserDoesNotAllow"), { tone: "bad", about: text });
  }
}
