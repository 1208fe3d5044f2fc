import { Plus, Trash2 } from "lucide-react";
import { useMemo } from "react";
import { Button, IconButton } from "#web/kit/button.tsx";
import { Checkbox, SelectField } from "#web/kit/field.tsx";
import { words } from "#web/kit/numbers.ts";
import { Note } from "#web/kit/states.tsx";
import type { JsonSchema } from "#web/features/management/json-schema.ts";
import { PolicyConditions } from "#web/features/management/policy-conditions.tsx";
import {
  conditionsOf,
  permissionInWords,
  simpleOf,
  type Statement,
  vocabularies,
  type Vocabulary,
} from "#web/features/management/policy.ts";
import styles from "#web/features/management/management.module.css";

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
          <legend className="visually-hidden">Statement {at + 1}</legend>
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
          <Plus /> Add a statement
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
  const simple = simpleOf(resource.conditions);
  const hasConditions = known && known.attributes.length > 0;
  return (
    <>
      <div className={styles.condition}>
        <SelectField
          label={`What statement ${number} is about`}
          hideLabel
          value={resource.type}
          options={types.map((one) => [one, words(one)] as const)}
          onChange={({ target }) => onChange({ resource: { type: target.value }, permissions: [] })}
        />
        <IconButton label={`Remove statement ${number}`} onClick={onRemove}>
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
        : <Note>Its conditions are too involved for this form: edit them as JSON.</Note>)}
      <Permissions
        type={resource.type}
        known={known?.permissions ?? []}
        value={permissions}
        onValue={(now) => onChange({ resource, permissions: now })}
      />
    </>
  );
}

function Permissions(
  { type, known, value, onValue }: {
    type: string;
    known: string[];
    value: string[];
    onValue: (value: string[]) => void;
  },
) {
  const all = value.includes("ALL");
  return (
    <div className={styles.checks} role="group" aria-label="Permissions" tabIndex={0}>
      {["ALL", ...known.filter((one) => one !== "ALL")].map((one) => (
        <Checkbox
          key={one}
          label={one === "ALL" ? "Everything" : permissionInWords(type, one)}
          checked={value.includes(one)}
          disabled={all && one !== "ALL"}
          onChange={({ target }) =>
            onValue(
              one === "ALL"
                ? target.checked ? ["ALL"] : []
                : target.checked
                ? [...value, one]
                : value.filter((other) => other !== one),
            )}
        />
      ))}
    </div>
  );
}
