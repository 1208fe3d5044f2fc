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

type Silence = Schema<"NotificationSilence">;

/** Silences with the alerts that they match; users with the permission can end them. */
export function SilenceTable({ silences }: { silences: Silence[] }) {
  const manage = useCan()("NOTIFICATION_MANAGE");
  const [ending, setEnding] = useState<Silence>();
  const columns: Column<Silence>[] = [
    { name: "Keeps quiet", cell: (silence) => <Conditions of={silence} /> },
    {
      name: "Until",
      cell: ({ until, active }) => active ? <Time at={until} /> : <Badge>Expired</Badge>,
    },
    { name: "Why", cell: ({ comment }) => <span className="foreign">{comment}</span> },
    {
      name: "Made",
      cell: ({ created_by, created_at }) => (
        <>
          <Time at={created_at} />
          {created_by && <>{" "}by {created_by}</>}
        </>
      ),
    },
  ];
  const end: Column<Silence> = {
    name: "Actions",
    hideName: true,
    tight: true,
    cell: (silence) => (
      <Button small onClick={() => setEnding(silence)}>
        {silence.active ? "End" : "Delete"}
      </Button>
    ),
  };
  return (
    <>
      <Table
        label="Silences"
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
      {of.alert_type ? <AlertTypeBadge type={of.alert_type} /> : <Badge>Any type</Badge>}
      {of.entity_id && <EntityById id={of.entity_id} tab="alerts" />}
      {of.namespace_id && <Chip name={`Namespace ${namespaces(of.namespace_id)}`} />}
      {of.owner_id && <Chip name={`Owner ${owners(of.owner_id)}`} />}
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
    toast(one.active ? "Silence ended" : "Silence deleted", {
      undo: one.active ? () => void recreate(one) : undefined,
    });
    await refresh(queries, "/api/notifications/silences", "/api/alerts/impact");
  };
  return (
    <Confirm
      open={silence !== undefined}
      onClose={onClose}
      title={silence?.active ? "End this silence?" : "Delete this silence?"}
      action={silence?.active ? "End it" : "Delete it"}
      onConfirm={() => end(silence!)}
    >
      {silence?.active
        ? "Notifications resume with the next change of an alert."
        : "It is over already and meets nothing; it disappears from this list."}
    </Confirm>
  );
}
