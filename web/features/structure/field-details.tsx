import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import { CopyButton } from "#web/kit/copy.tsx";
import { listText } from "#web/kit/numbers.ts";
import { Card, Facts } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Button } from "#web/kit/button.tsx";
import { TextField, useDebounced } from "#web/kit/field.tsx";
import { EditButton, InlineForm, useForm } from "#web/kit/form.tsx";
import { Badge } from "#web/kit/badge.tsx";
import { Shown } from "#web/kit/states.tsx";
import { readDetails } from "#web/components/entity-details.tsx";
import { useCan } from "#web/components/permissions.ts";
import { MetricTable } from "#web/components/metric-table.tsx";
import { typeText } from "#web/features/structure/changes.ts";
import {
  FieldDescription,
  FieldTags,
  FieldTerms,
  Section,
  useFieldChange,
} from "#web/features/structure/field-sections.tsx";
import { FieldLineage } from "#web/features/structure/field-lineage.tsx";
import type { Field } from "#web/features/structure/tree.ts";
import { type Share, shareText, statisticsOf } from "#web/features/structure/statistics.ts";
import { EnumEditor } from "#web/features/structure/enum-editor.tsx";
import styles from "#web/features/structure/structure.module.css";
import { t } from "#web/messages/text.ts";
import { read, type Schema, send } from "#web/api/client.ts";

/** Everything about one field, with what may be changed of it. */
export function FieldDetails(
  { dataset, field, fields, historic }: {
    dataset: number;
    field: Field;
    fields: Field[];
    /** Of the past: nothing can be written about it. */
    historic: boolean;
  },
) {
  const mayOf = useCan("DATA_ENTITY", dataset);
  const can: typeof mayOf = (permission) => !historic && mayOf(permission);
  const entity = useQuery({ ...readDetails(dataset), refetchOnMount: false });
  const metadata = field.metadata ?? [];
  return (
    <Card title={field.name}>
      <div className={styles.sections}>
        <Known field={field} fields={fields} dataset={dataset} />
        <FieldName field={field} can={can("DATASET_FIELD_INTERNAL_NAME_UPDATE")} />
        <FieldDescription field={field} can={can("DATASET_FIELD_DESCRIPTION_UPDATE")} />
        <FieldTags field={field} can={can("DATASET_FIELD_TAGS_UPDATE")} />
        <FieldTerms
          field={field}
          canAdd={can("DATASET_FIELD_ADD_TERM")}
          canRemove={can("DATASET_FIELD_DELETE_TERM")}
        />
        {!historic && <FieldLineage dataset={dataset} field={field} fields={fields} />}
        <FieldStatistics field={field} rows={entity.data?.stats?.rows_count} />
        <FieldEnumValues field={field} can={can("DATASET_FIELD_ENUMS_UPDATE")} />
        {metadata.length > 0 && (
          <Section title={t("structure.metadata")}>
            <Facts
              of={metadata.map(({ field: { name }, value }) =>
                [name, <span key={name} className="foreign">{value}</span>] as const
              )}
            />
          </Section>
        )}
        <FieldMetrics field={field} />
      </div>
    </Card>
  );
}

function Known({ field, fields, dataset }: { field: Field; fields: Field[]; dataset: number }) {
  const [, change] = useParamsOfView();
  const target = fields.find(({ id }) => id === field.reference_field_id);
  const keys = listText([
    field.is_primary_key && t("structure.primaryKeyState"),
    field.is_sort_key && t("structure.sortKeyState"),
    field.is_key && t("structure.keyOfAMapState"),
    field.is_value && t("structure.valueOfAMapState"),
  ].flatMap((one) => one ? [one] : []));
  return (
    <Facts
      of={[
        [t("kit.type"), <span key="type" className="foreign">{typeText(field.type)}</span>],
        keys !== "" && [t("structure.key"), keys],
        field.default_value != null && [
          t("structure.default"),
          <code key="default" className="foreign">{field.default_value}</code>,
        ],
        target && [
          t("structure.refersTo"),
          <Button
            key="target"
            small
            variant="quiet"
            onClick={() => change({ field: String(target.id) }, true)}
          >
            {target.name}
          </Button>,
        ],
        field.lookup_table_definition_id != null && [
          t("structure.column"),
          <Link key="data" to="/dataentities/$id/data" params={{ id: String(dataset) }}>
            {t("structure.ofALookupTableChange")}
          </Link>,
        ],
        [
          "CATRN",
          (
            <span key="catrn" className={styles.name}>
              <span className="truncate mono" title={field.catrn}>{field.catrn}</span>
              <CopyButton text={field.catrn} what={t("kit.catrn")} />
            </span>
          ),
        ],
      ]}
    />
  );
}

function FieldName({ field, can }: { field: Field; can: boolean }) {
  const [text, setText] = useState<string>();
  const change = useFieldChange();
  const form = useForm(
    (internal_name: string | null) =>
      change(
        send("put", "/api/datasetfields/{dataset_field_id}/name", {
          path: { dataset_field_id: field.id },
          body: { internal_name },
        }),
      ),
    () => setText(undefined),
  );
  if (text === undefined && !can && !field.internal_name) return null;
  return (
    <Section
      title={t("structure.displayName")}
      action={can && text === undefined && (
        <EditButton
          label={t("structure.editTheInternalName")}
          onClick={() => setText(field.internal_name ?? "")}
        />
      )}
    >
      {text === undefined
        ? (
          <span className={field.internal_name ? "foreign" : "soft"}>
            {field.internal_name ?? t("structure.none")}
          </span>
        )
        : (
          <InlineForm
            form={form}
            onSave={() => form.submit(text.trim() || null)}
            onCancel={() => setText(undefined)}
          >
            <TextField
              label={t("structure.displayName")}
              hideLabel
              autoFocus
              value={text}
              error={form.errorOf("internal_name")}
              hint={t("structure.shownWithTheNameOf")}
              onChange={({ target }) => setText(target.value)}
            />
          </InlineForm>
        )}
    </Section>
  );
}

/** What its source counted of the values of a field. `rows`: of the dataset. */
function FieldStatistics({ field, rows }: { field: Field; rows: number | undefined }) {
  const statistics = statisticsOf(field.stats, rows);
  if (!statistics) return null;
  return (
    <Section title={t("structure.statistics")}>
      <div className={styles.bars}>
        {statistics.shares.map((one) => (
          <Fragment key={one.name}>
            <span>{one.name}</span>
            <Bar of={one} />
            <span>{shareText(one)}</span>
          </Fragment>
        ))}
      </div>
      {statistics.facts.length > 0 && <Facts of={statistics.facts} />}
    </Section>
  );
}

function Bar({ of: { share } }: { of: Share }) {
  if (share === undefined) return <span />;
  return (
    <svg className={styles.bar} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden>
      <rect className={styles.ground} width="100" height="8" rx="2" />
      <rect className={styles.fill} width={Math.max(share > 0 ? 1 : 0, share * 100)} height="8" />
    </svg>
  );
}

/** The values that a field may have: of its source, which stay, and of people. */
function FieldEnumValues({ field, can }: { field: Field; can: boolean }) {
  const [editing, setEditing] = useState(false);
  const count = field.enum_value_count ?? 0;
  const some = count > 0;
  const id = useDebounced(some || editing ? field.id : undefined);
  const values = useQuery({
    ...read("/api/datasetfields/{dataset_field_id}/enum_values", {
      path: { dataset_field_id: id ?? 0 },
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
        : (
          <Shown of={values} what={t("structure.values")} bones={Math.min(6, count)}>
            {(data) =>
              editing
                ? <EnumEditor field={field} values={data} onDone={() => setEditing(false)} />
                : <EnumValues of={data} />}
          </Shown>
        )}
    </Section>
  );
}

function EnumValues({ of }: { of: Schema<"EnumValueList"> }) {
  return (
    <ul className={styles.values}>
      {of.items.map(({ id, name, description, modifiable }) => (
        <li key={id} className={styles.value}>
          <code className="foreign">{name}</code>
          <span className="soft foreign">{description}</span>
          {modifiable === false && <Badge>{t("structure.fromTheSourceSystem")}</Badge>}
        </li>
      ))}
    </ul>
  );
}

/** What is measured of a field, the newest value of each series. */
function FieldMetrics({ field }: { field: Field }) {
  // Not of each field that somebody walks past.
  const id = useDebounced(field.id, 150);
  const { data } = useQuery({
    ...read("/api/datasetfields/{dataset_field_id}/metrics", { path: { dataset_field_id: id } }),
    placeholderData: undefined,
    enabled: id === field.id,
  });
  if (!data?.metric_families.length) return null;
  return (
    <Section title={t("kit.metrics")}>
      <MetricTable of={data} />
    </Section>
  );
}
