import type { Schema } from "#web/api/client.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { refresh, send } from "#web/api/client.ts";
import { Badge, Chip, ChipRow } from "#web/kit/badge.tsx";
import { Button } from "#web/kit/button.tsx";
import { Confirm } from "#web/kit/confirm.tsx";
import { type Column, Table } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { toast } from "#web/kit/toast.tsx";
import { AlertTypeBadge } from "#web/components/alerts.tsx";
import { EntityById } from "#web/components/entity-by-id.tsx";
import { useFacetNames } from "#web/components/facets.ts";
import { useCan } from "#web/components/permissions.ts";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

type Silence = Schema<"NotificationSilence">;

/** Silences with the alerts that they match; users with the permission can end them. */
export function SilenceTable({ silences }: { silences: Silence[] }) {
  const manage = useCan()("NOTIFICATION_MANAGE");
  const [ending, setEnding] = useState<Silence>();
  const columns: Column<Silence>[] = [
    { name: t("alerts.keepsQuiet"), cell: (silence) => <Conditions of={silence} /> },
    {
      name: t("alerts.until"),
      cell: ({ until, active }) =>
        active ? <Time at={until} /> : <Badge>{t("alerts.expired")}</Badge>,
    },
    { name: t("alerts.why"), cell: ({ comment }) => <span className="foreign">{comment}</span> },
    {
      name: t("alerts.made"),
      cell: ({ created_by, created_at }) =>
        created_by
          ? (
            <Rich
              of="alerts.timeAndName"
              values={{ time: <Time at={created_at} />, name: created_by }}
            />
          )
          : <Time at={created_at} />,
    },
  ];
  const end: Column<Silence> = {
    name: t("kit.actions"),
    hideName: true,
    tight: true,
    cell: (silence) => (
      <Button small onClick={() => setEnding(silence)}>
        {silence.active ? t("alerts.end") : t("kit.delete")}
      </Button>
    ),
  };
  return (
    <>
      <Table
        label={t("alerts.silences")}
        columns={manage ? [...columns, end] : columns}
        rows={silences}
        keyOf={({ id }) => id}
      />
      <End silence={ending} onClose={() => setEnding(undefined)} />
    </>
  );
}

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
      params: { path: { silence_id: one.id } },
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
