import { SelectField } from "#web/kit/field.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { kindOf, kindOptions } from "#web/features/relationships/kinds.ts";
import { t } from "#web/messages/text.ts";

/** Chooses which relationships are shown; the choice stands in the address. */
export function KindField() {
  const [params, change] = useParamsOfView();
  return (
    <SelectField
      label={t("relationships.kind")}
      hideLabel
      options={kindOptions()}
      value={kindOf(params)}
      onChange={({ target }) => change({ type: target.value === "ALL" ? undefined : target.value })}
    />
  );
}
