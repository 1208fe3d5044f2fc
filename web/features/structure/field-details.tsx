import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CopyButton } from "#web/kit/copy.tsx";
import { listText } from "#web/kit/numbers.ts";
import { Card, Facts } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Button } from "#web/kit/button.tsx";
import { readDetails } from "#web/components/entity-details.ts";
import { useCan } from "#web/components/permissions.ts";
import { typeText } from "#web/features/structure/changes.ts";
import { FieldDescription } from "#web/features/structure/field-description.tsx";
import { FieldEnumValues } from "#web/features/structure/field-enum-values.tsx";
import { FieldLineage } from "#web/features/structure/field-lineage.tsx";
import { FieldMetrics } from "#web/features/structure/field-metrics.tsx";
import { FieldName } from "#web/features/structure/field-name.tsx";
import { FieldStatistics } from "#web/features/structure/field-statistics.tsx";
import { FieldTags } from "#web/features/structure/field-tags.tsx";
import { FieldTerms } from "#web/features/structure/field-terms.tsx";
import { Section } from "#web/features/structure/section.tsx";
import type { Field } from "#web/features/structure/tree.ts";
import styles from "#web/features/structure/structure.module.css";
import { t } from "#web/messages/text.ts";

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
