import { Plus, Trash2 } from "lucide-react";
import { useMemo } from "react";
import { Button, IconButton } from "#web/kit/button.tsx";
import { Checkbox, SelectField, TextField } from "#web/kit/field.tsx";
import { count, wordOptions } from "#web/kit/numbers.ts";
import { Note } from "#web/kit/states.tsx";
import type { JsonSchema } from "#web/features/management/json-schema.ts";
import {
  asksWhose,
  attributeInWords,
  conditionsOf,
  type Leaf,
  type Operator,
  operators,
  operatorTexts,
  type PermissionGroup,
  permissionGroups,
  type Simple,
  simpleOf,
  type Statement,
  vocabularies,
  type Vocabulary,
} from "#web/features/management/policy.ts";
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
          options={wordOptions(types)}
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

/** Conditions of a statement: some rows, of which all or one must hold. */
function PolicyConditions(
  { of, known, onChange }: { of: Simple; known: Vocabulary; onChange: (now: Simple) => void },
) {
  const { leaves } = of;
  const put = (at: number, leaf: Leaf) =>
    onChange({ ...of, leaves: leaves.map((one, index) => (index === at ? leaf : one)) });
  const add = () => {
    const leaf: Leaf = { operator: "eq", attribute: known.attributes[0] ?? "", value: "" };
    onChange({ ...of, leaves: [...leaves, leaf] });
  };
  return (
    <>
      {leaves.length === 0 && (
        <p className="soft">
          {t("management.withoutConditionsItAppliesTo")}
        </p>
      )}
      {leaves.length > 1 && (
        <SelectField
          label={t("management.holdsWhere")}
          value={of.join}
          options={[["all", t("management.allHold")], ["any", t("management.oneHolds")]]}
          onChange={({ target }) => onChange({ ...of, join: target.value as Simple["join"] })}
        />
      )}
      {leaves.map((leaf, at) => (
        <Row
          key={at}
          of={leaf}
          number={at + 1}
          known={known}
          onChange={(now) => put(at, now)}
          onRemove={() => onChange({ ...of, leaves: leaves.filter((_, index) => index !== at) })}
        />
      ))}
      <div>
        <Button small variant="quiet" onClick={add}>
          <Plus /> {t("management.addACondition")}
        </Button>
      </div>
    </>
  );
}

function Row(
  { of, number, known, onChange, onRemove }: {
    of: Leaf;
    number: number;
    known: Vocabulary;
    onChange: (now: Leaf) => void;
    onRemove: () => void;
  },
) {
  const whose = asksWhose(of.operator);
  const nth = { number: count(number) };
  const offered = operators.filter((one) => known.own.length > 0 || !asksWhose(one));
  const setOperator = (operator: Operator) => {
    const attributes = asksWhose(operator) ? known.own : known.attributes;
    const attribute = attributes.includes(of.attribute) ? of.attribute : attributes[0] ?? "";
    onChange({ operator, attribute: attribute, value: asksWhose(operator) ? "" : of.value });
  };
  return (
    <div className={styles.condition}>
      {!whose && (
        <SelectField
          label={t("management.attributeOfCondition", nth)}
          hideLabel
          value={of.attribute}
          options={known.attributes.map((one) => [one, attributeInWords(one)] as const)}
          onChange={({ target }) => onChange({ ...of, attribute: target.value })}
        />
      )}
      <SelectField
        label={t("management.comparisonOfCondition", nth)}
        hideLabel
        value={of.operator}
        options={offered.map((one) => [one, t(operatorTexts[one])] as const)}
        onChange={({ target }) => setOperator(target.value as Operator)}
      />
      {!whose && (
        <TextField
          label={t("management.valueOfCondition", nth)}
          hideLabel
          value={of.value}
          placeholder={of.operator.endsWith("match")
            ? t("management.aPatternRe2")
            : t("management.aValue")}
          onChange={({ target }) => onChange({ ...of, value: target.value })}
        />
      )}
      <IconButton label={t("management.removeCondition", nth)} onClick={onRemove}>
        <Trash2 />
      </IconButton>
    </div>
  );
}
