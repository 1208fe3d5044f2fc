import { Plus, Trash2 } from "lucide-react";
import { Button, IconButton } from "#web/kit/button.tsx";
import { SelectField, TextField } from "#web/kit/field.tsx";
import { count } from "#web/kit/numbers.ts";
import {
  asksWhose,
  attributeInWords,
  type Leaf,
  type Operator,
  operators,
  operatorTexts,
  type Simple,
  type Vocabulary,
} from "#web/features/management/policy.ts";
import styles from "#web/features/management/management.module.css";
import { t } from "#web/messages/text.ts";

/** Conditions of a statement: some rows, of which all or one must hold. */
export function PolicyConditions(
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
