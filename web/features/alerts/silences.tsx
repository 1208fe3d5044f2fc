import { useInfiniteQuery } from "@tanstack/react-query";
import { BellOff, Plus } from "lucide-react";
import { readPages, rowsOf, totalOf } from "#web/api/pages.ts";
import type { Schema } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { Card, Page } from "#web/kit/page.tsx";
import { oneOf, useParamsOfView } from "#web/kit/search-params.ts";
import { Segments } from "#web/kit/segments.tsx";
import { Empty, Shown } from "#web/kit/states.tsx";
import { More } from "#web/kit/table.tsx";
import { Allowed } from "#web/components/allowed.tsx";
import { useCan } from "#web/components/permissions.ts";
import { AlertTabs } from "#web/features/alerts/tabs.tsx";
import { NewSilence } from "#web/features/alerts/silence-form.tsx";
import { SilenceTable } from "#web/features/alerts/silence-table.tsx";
import { t } from "#web/messages/text.ts";

type Silence = Schema<"NotificationSilence">;

const kinds = ["active", "ended", "all"] as const;

/** Which alerts are silenced, until when, and why. */
export function SilencesScreen() {
  const [params, change] = useParamsOfView();
  const can = useCan();
  const show = oneOf(params.show, kinds) ?? "active";
  return (
    <Page
      title={t("alerts.silences")}
      about={t("alerts.alertsThatMatchASilence")}
      actions={can("NOTIFICATION_MANAGE") && (
        <Button
          variant="primary"
          onClick={() => change({ new: "1" }, true)}
        >
          <Plus aria-hidden />
          {t("alerts.newSilence")}
        </Button>
      )}
    >
      <AlertTabs />
      <Allowed permission="NOTIFICATION_VIEW" what={t("alerts.silences2")}>
        <Segments
          label={t("alerts.whichSilences")}
          value={show}
          of={[
            { value: "active", text: t("alerts.active") },
            { value: "ended", text: t("alerts.expired") },
            { value: "all", text: t("alerts.all") },
          ]}
          onValue={(value) => change({ show: value === "active" ? undefined : value }, true)}
        />
        <Silences show={show} />
      </Allowed>
      {can("NOTIFICATION_MANAGE") && <NewSilence />}
    </Page>
  );
}

function Silences({ show }: { show: (typeof kinds)[number] }) {
  const active = show === "all" ? undefined : String(show === "active");
  const query = useInfiniteQuery(
    readPages("/api/notifications/silences", { params: { query: { active } } }),
  );
  return (
    <Card flush>
      <Shown of={query} what={t("alerts.silences2")} bones={6}>
        {(data) => {
          const silences = rowsOf<Silence>(data);
          if (silences.length === 0) {
            return (
              <Empty title={t("alerts.noSilences")} icon={<BellOff aria-hidden />}>
                {show === "active"
                  ? t("alerts.allAlertsAreSentCreate")
                  : t("alerts.thereAreNoExpiredSilences")}
              </Empty>
            );
          }
          return (
            <>
              <SilenceTable silences={silences} />
              <More
                shown={silences.length}
                total={totalOf(data)}
                hasNext={query.hasNextPage}
                busy={query.isFetchingNextPage}
                onMore={() => void query.fetchNextPage()}
              />
            </>
          );
        }}
      </Shown>
    </Card>
  );
}
