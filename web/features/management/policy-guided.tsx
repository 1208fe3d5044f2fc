import { Plus, Trash2 } from "lucide-react";
import { useMemo } from "react";
import { Button, IconButton } from "#web/kit/button.tsx";
import { Checkbox, SelectField } from "#web/kit/field.tsx";
import { count, words } from "#web/kit/numbers.ts";
import { Note } from "#web/kit/states.tsx";
import type { JsonSchema } from "#web/features/management/json-schema.ts";
import { PolicyConditions } from "#web/features/management/policy-conditions.tsx";
import {
  conditionsOf,
  simpleOf,
  type Statement,
  vocabularies,
  type Vocabulary,
} from "#web/features/management/policy.ts";
import { type PermissionGroup, permissionGroups } from "#web/features/management/policy-objects.ts";
import styles from "#web/features/management/management.module.css";
import { t } from "#web/messages/text.ts";

/** The statements of a policy as a form; conditions that are too involved for it are left as they are. */
export function PolicyGuided(
  { schema, statements, onStatements }: {
    schema: JsonSchema;
    statements: Statement[];
    onStatements: (statements: Statement[]) => void;
  },
) {
  const known = useMemo(() => vocabularies(schema), [schema]);
  const types = [...known.keys()];
  const change = (at: number, now: Statement) =>
    onStatements(statements.map((one, index) => (index === at ? now : one)));
  const add = () =>
    onStatements([...statements, { resource: { type: types[0] ?? "" }, permissions: [] }]);
  return (
    <>
      {statements.map((one, at) => (
        <fieldset key={at} className={styles.statement}>
          <legend className="visually-hidden">
            {t("management.statement", { number: count(at + 1) })}
          </legend>
          <StatementForm
            of={one}
            number={at + 1}
            types={types}
            known={known.get(one.resource.type)}
            onChange={(now) => change(at, now)}
            onRemove={() => onStatements(statements.filter((_, index) => index !== at))}
          />
        </fieldset>
      ))}
      <div>
        <Button small onClick={add}>
          <Plus /> {t("management.addAStatement")}
        </Button>
      </div>
    </>
  );
}

function StatementForm(
  { of, number, types, known, onChange, onRemove }: {
    of: Statement;
    number: number;
    types: string[];
    known: Vocabulary | undefined;
    onChange: (now: Statement) => void;
    onRemove: () => void;
  },
) {
  const { resource, permissions } = of;
  const nth = { number: count(number) };
  const simple = simpleOf(resource.conditions);
  const hasConditions = known && known.attributes.length > 0;
  return (
    <>
      <div className={styles.condition}>
        <SelectField
          label={t("management.whatStatementIsAbout", nth)}
          hideLabel
          value={resource.type}
          options={types.map((one) => [one, words(one)] as const)}
          onChange={({ target }) => onChange({ resource: { type: target.value }, permissions: [] })}
        />
        <IconButton label={t("management.removeStatement", nth)} onClick={onRemove}>
          <Trash2 />
        </IconButton>
      </div>
      {hasConditions && (simple
        ? (
          <PolicyConditions
            of={simple}
            known={known}
            onChange={(now) => {
              const conditions = conditionsOf(now);
              const type = resource.type;
              onChange({ permissions, resource: conditions ? { type, conditions } : { type } });
            }}
          />
        )
        : <Note>{t("management.itsConditionsAreTooInvolved")}</Note>)}
      <Permissions
        known={known?.permissions ?? []}
        value={permissions}
        onValue={(now) => onChange({ resource, permissions: now })}
      />
    </>
  );
}

function Permissions(
  { known, value, onValue }: {
    known: string[];
    value: string[];
    onValue: (value: string[]) => void;
  },
) {
  const all = value.includes("ALL");
  const groups = useMemo(() => permissionGroups(known.filter((one) => one !== "ALL")), [known]);
  const put = (some: string[], on: boolean) =>
    onValue([...value.filter((one) => !some.includes(one)), ...on ? some : []]);
  return (
    <>
      <Checkbox
        label={t("management.everything")}
        checked={all}
        onChange={({ target }) => onValue(target.checked ? ["ALL"] : [])}
      />
      <div
        className={styles.objects}
        role="group"
        aria-label={t("management.permissions")}
        tabIndex={0}
      >
        {groups.map((group) => (
          <ObjectPermissions key={group.object} of={group} value={value} all={all} onPut={put} />
        ))}
      </div>
    </>
  );
}

/** What may be done with one kind of object; its name ticks all of it. */
function ObjectPermissions(
  { of: { object, permissions }, value, all, onPut }: {
    of: PermissionGroup;
    value: string[];
    all: boolean;
    onPut: (permissions: string[], on: boolean) => void;
  },
) {
  const names = permissions.map(({ name }) => name);
  return (
    <fieldset className={styles.object}>
      <legend>
        <Checkbox
          label={object}
          checked={names.every((one) => value.includes(one))}
          disabled={all}
          onChange={({ target }) => onPut(names, target.checked)}
        />
      </legend>
      {permissions.map(({ name, label }) => (
        <Checkbox
          key={name}
          label={label}
          aria-label={t("management.permissionOf", { object, permission: label })}
          checked={value.includes(name)}
          disabled={all}
          onChange={({ target }) => onPut([name], target.checked)}
        />
      ))}
    </fieldset>
  );
}
