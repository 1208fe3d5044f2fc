import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { send } from "#web/api/client.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { words } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { type Column, Table } from "#web/kit/table.tsx";
import { exactTime } from "#web/kit/time.tsx";
import { toast } from "#web/kit/toast.ts";
import { complain, undoing } from "#web/components/undo.ts";
import type { CardOf } from "#web/features/entity/details.ts";
import { AddMetadata, EditMetadata } from "#web/features/entity/metadata-forms.tsx";
import { type FieldValue, laidOut, withValues } from "#web/features/entity/metadata-types.ts";
import { useChanged } from "#web/features/entity/use-entity.ts";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";

/** Values of fields: those that people gave, and those of its source. */
export function MetadataCard({ of, can }: CardOf) {
  const [adding, setAdding] = useState(false);
  const [editing, setEditing] = useState<FieldValue>();
  const remove = useRemove(of.id);
  const values = of.metadata_field_values;
  const theirs = values.filter(({ field }) => field.origin === "EXTERNAL");
  const own = values.filter(({ field }) => field.origin !== "EXTERNAL");
  const buttons = columnOfButtons(
    can("DATA_ENTITY_CUSTOM_METADATA_UPDATE") ? setEditing : undefined,
    can("DATA_ENTITY_CUSTOM_METADATA_DELETE") ? (one) => void remove(one) : undefined,
  );
  return (
    <Card
      title={t("entity.metadata")}
      flush={values.length > 0}
      actions={can("DATA_ENTITY_CUSTOM_METADATA_CREATE") && (
        <Button
          small
          onClick={() => setAdding(true)}
        >
          <Plus aria-hidden /> {t("kit.add")}
        </Button>
      )}
    >
      {values.length === 0 && <span className="soft">{t("entity.noMetadata")}</span>}
      <div className={styles.inline}>
        {own.length > 0 && (
          <Table
            label={t("entity.metadataAddedByPeople")}
            columns={[...columns(t("entity.addedHere")), ...buttons]}
            rows={own}
            keyOf={({ field }) => field.id}
          />
        )}
        {theirs.length > 0 && (
          <Table
            label={t("entity.metadataFromTheSourceSystem")}
            columns={columns(t("components.fromTheSourceSystem"))}
            rows={theirs}
            keyOf={({ field }) => field.id}
          />
        )}
      </div>
      {adding && <AddMetadata id={of.id} onClose={() => setAdding(false)} />}
      {editing && <EditMetadata id={of.id} of={editing} onClose={() => setEditing(undefined)} />}
    </Card>
  );
}

function columns(heading: string): Column<FieldValue>[] {
  return [
    {
      name: heading,
      cell: ({ field }) => <span className="foreign">{field.name}</span>,
    },
    { name: t("entity.value"), cell: (one) => <Value of={one} /> },
    {
      name: t("kit.type"),
      tight: true,
      cell: ({ field }) => <span className="soft">{words(field.type)}</span>,
    },
  ];
}

function columnOfButtons(
  onEdit: ((one: FieldValue) => void) | undefined,
  onRemove: ((one: FieldValue) => void) | undefined,
): Column<FieldValue>[] {
  if (!onEdit && !onRemove) return [];
  const cell = (one: FieldValue) => (
    <>
      {onEdit && (
        <IconButton
          small
          label={t("entity.edit", { name: one.field.name })}
          onClick={() => onEdit(one)}
        >
          <Pencil />
        </IconButton>
      )}
      {onRemove && (
        <IconButton
          small
          label={t("kit.remove", { name: one.field.name })}
          onClick={() => onRemove(one)}
        >
          <Trash2 />
        </IconButton>
      )}
    </>
  );
  return [{ name: t("entity.change"), hideName: true, tight: true, cell }];
}

/** A value as its type reads best; never anything but text. */
function Value({ of: { field: { type }, value } }: { of: FieldValue }) {
  if (type === "BOOLEAN") {
    return <>{value === "true" ? t("entity.yes") : value === "false" ? t("entity.no") : value}</>;
  }
  if (type === "DATETIME" && !Number.isNaN(Date.parse(value))) {
    return <span title={value}>{exactTime(value)}</span>;
  }
  if (type === "JSON" || type === "ARRAY") {
    return <pre className={`foreign ${styles.value}`} tabIndex={0}>{laidOut(value)}</pre>;
  }
  return <span className="foreign">{value}</span>;
}

function useRemove(id: number) {
  const changed = useChanged(id);
  const putBack = async ({ field: { name, type }, value }: FieldValue) => {
    const made = await send("post", "/api/dataentities/{data_entity_id}/metadata", {
      params: { path: { data_entity_id: id } },
      body: [{ name, type, value }],
    });
    changed(withValues(made.items));
  };
  return async (one: FieldValue) => {
    try {
      await send("delete", "/api/dataentities/{data_entity_id}/metadata/{metadata_field_id}", {
        params: { path: { data_entity_id: id, metadata_field_id: one.field.id } },
      });
    } catch (error) {
      return complain(t("entity.wasNotRemoved", { name: one.field.name }), error);
    }
    changed(({ metadata_field_values: now }) => ({
      metadata_field_values: now.filter(({ field }) => field.id !== one.field.id),
    }));
    toast(t("entity.isRemoved", { name: one.field.name }), { undo: undoing(() => putBack(one)) });
  };
}
