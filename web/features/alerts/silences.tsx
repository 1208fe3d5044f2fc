import { useQueryClient } from "@tanstack/react-query";
import { BellOff, Plus } from "lucide-react";
import { useState } from "react";
import { usePages } from "#web/api/pages.ts";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { Card, Page } from "#web/kit/page.tsx";
import { oneOf, useParamsOfView } from "#web/kit/search-params.ts";
import { Segments } from "#web/kit/segments.tsx";
import { Empty } from "#web/kit/states.tsx";
import { actionsColumn, type Column, textColumn } from "#web/kit/table.tsx";
import { Badge, Chip, ChipRow } from "#web/kit/badge.tsx";
import { Confirm } from "#web/kit/dialog.tsx";
import { Time } from "#web/kit/time.tsx";
import { toast } from "#web/kit/toast.ts";
import { Allowed } from "#web/components/allowed.tsx";
import { useCan } from "#web/components/permissions.ts";
import { AlertTypeBadge } from "#web/components/alerts.tsx";
import { EntityById } from "#web/components/entity-details.tsx";
import { useFacetNames } from "#web/components/facets.tsx";
import { PagedTable } from "#web/components/paged-table.tsx";
import { AlertTabs } from "#web/features/alerts/tabs.tsx";
import { NewSilence } from "#web/features/alerts/silence-form.tsx";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

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

/** Silences with the alerts that they match; users with the permission can end them. */
function Silences({ show }: { show: (typeof kinds)[number] }) {
  const active = show === "all" ? undefined : show === "active" ? "true" : "false";
  const query = usePages("/api/notifications/silences", { query: { active } });
  const manage = useCan()("NOTIFICATION_MANAGE");
  const [ending, setEnding] = useState<Silence>();
  const end = actionsColumn((silence: Silence) => (
    <Button small onClick={() => setEnding(silence)}>
      {silence.active ? t("alerts.end") : t("kit.delete")}
    </Button>
  ));
  return (
    <Card flush>
      <PagedTable<Silence>
        of={query}
        what={t("alerts.silences2")}
        bones={6}
        label={t("alerts.silences")}
        columns={manage ? [...columns(), end] : columns()}
        empty={
          <Empty title={t("alerts.noSilences")} icon={<BellOff aria-hidden />}>
            {show === "active"
              ? t("alerts.allAlertsAreSentCreate")
              : t("alerts.thereAreNoExpiredSilences")}
          </Empty>
        }
      />
      <End silence={ending} onClose={() => setEnding(undefined)} />
    </Card>
  );
}

const columns = (): Column<Silence>[] => [
  { name: t("alerts.keepsQuiet"), cell: (silence) => <Conditions of={silence} /> },
  {
    name: t("alerts.until"),
    cell: ({ until, active }) =>
      active ? <Time at={until} /> : <Badge>{t("alerts.expired")}</Badge>,
  },
  textColumn(t("alerts.why"), ({ comment }) => comment),
  {
    name: t("alerts.made"),
    cell: ({ created_by: name, created_at }) => {
      const time = <Time at={created_at} />;
      return name ? <Rich of="alerts.timeAndName" values={{ time, name }} /> : time;
    },
  },
];

/** The conditions under which an alert is silenced. */
function Conditions({ of }: { of: Silence }) {
  const namespaces = useFacetNames("namespace", of.namespace_id ? [of.namespace_id] : []);
  const owners = useFacetNames("owner", of.owner_id ? [of.owner_id] : []);
  return (
    <ChipRow>
      {of.alert_type
        ? <AlertTypeBadge type={of.alert_type} />
        : <Badge>{t("alerts.anyType")}</Badge>}
      {of.entity_id && <EntityById id={of.entity_id} tab="alerts" />}
      {of.namespace_id && (
        <Chip name={t("alerts.ofNamespace", { name: namespaces(of.namespace_id) })} />
      )}
      {of.owner_id && <Chip name={t("alerts.ofOwner", { name: owners(of.owner_id) })} />}
    </ChipRow>
  );
}

function End({ silence, onClose }: { silence: Silence | undefined; onClose: () => void }) {
  const queries = useQueryClient();
  const recreate = async (
    { id: _, active: __, created_at: ___, created_by: ____, ...form }: Silence,
  ) => {
    await send("post", "/api/notifications/silences", { body: form });
    await refresh(queries, "/api/notifications/silences", "/api/alerts/impact");
  };
  const end = async (one: Silence) => {
    await send("delete", "/api/notifications/silences/{silence_id}", {
      path: { silence_id: one.id },
    });
    toast(one.active ? t("alerts.silenceEnded") : t("alerts.silenceDeleted"), {
      undo: one.active ? () => void recreate(one) : undefined,
    });
    await refresh(queries, "/api/notifications/silences", "/api/alerts/impact");
  };
  return (
    <Confirm
      open={silence !== undefined}
      onClose={onClose}
      title={silence?.active ? t("alerts.endThisSilence") : t("alerts.deleteThisSilence")}
      action={silence?.active ? t("alerts.endIt") : t("alerts.deleteIt")}
      onConfirm={() => end(silence!)}
    >
      {silence?.active
        ? t("alerts.notificationsResumeWithTheNext")
        : t("alerts.itIsOverAlreadyAnd")}
    </Confirm>
  );
}
