import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Bones, Failure } from "#web/kit/states.tsx";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { EnumEditor } from "#web/features/structure/enum-editor.tsx";
import { EditButton, Section } from "#web/features/structure/section.tsx";
import type { Field } from "#web/features/structure/tree.ts";
import styles from "#web/features/structure/structure.module.css";
import { t } from "#web/messages/text.ts";

/** The values that a field may have: of its source, which stay, and of people. */
export function FieldEnumValues({ field, can }: { field: Field; can: boolean }) {
  const [editing, setEditing] = useState(false);
  const some = (field.enum_value_count ?? 0) > 0;
  const id = useDebounced(some || editing ? field.id : undefined);
  const values = useQuery({
    ...read("/api/datasetfields/{dataset_field_id}/enum_values", {
      params: { path: { dataset_field_id: id ?? 0 } },
    }),
    enabled: id === field.id,
  });
  if (!some && !can) return null;
  return (
    <Section
      title={t("structure.allowedValues")}
      action={can && !editing && (values.data || !some) && (
        <EditButton
          label={t("structure.editTheValues")}
          onClick={() => setEditing(true)}
        />
      )}
    >
      {!some && !editing
        ? <span className="soft">{t("structure.any")}</span>
        : values.error
        ? (
          <Failure
            error={values.error}
            what={t("structure.values")}
            onRetry={() => void values.refetch()}
          />
        )
        : !values.data
        ? <Bones lines={Math.min(6, field.enum_value_count ?? 1)} />
        : editing
        ? <EnumEditor field={field} values={values.data} onDone={() => setEditing(false)} />
        : (
          <ul className={styles.values}>
            {values.data.items.map(({ id, name, description, modifiable }) => (
              <li key={id} className={styles.value}>
                <code className="foreign">{name}</code>
                <span className="soft foreign">{description}</span>
                {modifiable === false && <Badge>{t("structure.fromTheSourceSystem")}</Badge>}
              </li>
            ))}
          </ul>
        )}
    </Section>
  );
}
