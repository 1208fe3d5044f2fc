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

type Silence = Schema<"NotificationSilence">;

const kinds = ["active", "ended", "all"] as const;

/** Which alerts are silenced, until when, and why. */
export function SilencesScreen() {
  const [params, change] = useParamsOfView();
  const can = useCan();
  const show = oneOf(params.show, kinds) ?? "active";
  return (
    <Page
      title="Silences"
      about="Alerts that match a silence stay open and listed, but are not sent."
      actions={can("NOTIFICATION_MANAGE") && (
        <Button
          variant="primary"
          onClick={() => change({ new: "1" }, true)}
        >
          <Plus aria-hidden />New silence
        </Button>
      )}
    >
      <AlertTabs />
      <Allowed permission="NOTIFICATION_VIEW" what="silences">
        <Segments
          label="Which silences"
          value={show}
          of={[
            { value: "active", text: "Active" },
            { value: "ended", text: "Expired" },
            { value: "all", text: "All" },
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
      <Shown of={query} what="silences" bones={6}>
        {(data) => {
          const silences = rowsOf<Silence>(data);
          if (silences.length === 0) {
            return (
              <Empty title="No silences" icon={<BellOff aria-hidden />}>
                {show === "active"
                  ? "All alerts are sent. Create a silence during maintenance."
                  : "There are no expired silences."}
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
