import { SelectField } from "#web/kit/field.tsx";
import { oneOf, type Params, useParamsOfView } from "#web/kit/search-params.ts";
import { type PlainKey, t } from "#web/messages/text.ts";

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

/** Which relationships are requested. */
const names = {
  ALL: "relationships.keysAndGraph",
  ERD: "relationships.keysBetweenTables",
  GRAPH: "relationships.edgesOfAGraph",
} as const satisfies Record<string, PlainKey>;

type Kind = keyof typeof names;
const kinds = Object.keys(names) as Kind[];

/** The kind that the address names, else all. */
export function kindOf(params: Params): Kind {
  return oneOf(params.type, kinds) ?? "ALL";
}

/** Kinds with what they are called here. */
const kindOptions = () => kinds.map((kind) => [kind, t(names[kind])] as const);
