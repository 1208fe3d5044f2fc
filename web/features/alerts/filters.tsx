import { X } from "lucide-react";
import type { RefObject } from "react";
import { Button } from "#web/kit/button.tsx";
import { SearchField, SelectField } from "#web/kit/field.tsx";
import { FilterSheet } from "#web/kit/filter-sheet.tsx";
import { pageStyles, Toolbar } from "#web/kit/page.tsx";
import { idsOf, type Params, useTextParam } from "#web/kit/search-params.ts";
import { alertStatusOptions, alertTypeOptions } from "#web/components/alerts.tsx";
import { FacetFilter, type FacetKind } from "#web/components/facets.tsx";
import { PeriodFields } from "#web/components/time-fields.tsx";
import { type PlainKey, t } from "#web/messages/text.ts";

const facets: { kind: FacetKind; label: PlainKey; single?: boolean }[] = [
  { kind: "owner", label: "kit.owner" },
  { kind: "source", label: "alerts.source", single: true },
  { kind: "namespace", label: "kit.namespace", single: true },
  { kind: "tag", label: "components.tag" },
];
const names = ["status", "type", "q", "from", "to", ...facets.map(({ kind }) => kind)];

/** Nothing chosen, as a change of the address. */
export const noFilter: Params = Object.fromEntries(names.map((name) => [name, undefined]));

/** What narrows the list; all of it is in the address. */
export function AlertFilters(
  { params, change, search }: {
    params: Params;
    change: (some: Params) => void;
    /** The box for words, so that a key can lead to it. */
    search: RefObject<HTMLInputElement | null>;
  },
) {
  const [text, setText] = useTextParam("q");
  return (
    <Toolbar>
      <SearchField
        ref={search}
        label={t("alerts.searchAlerts")}
        className={pageStyles.grow}
        value={text}
        onValue={setText}
      />
      <FilterSheet set={names.filter((name) => name !== "q" && params[name]).length}>
        <SelectField
          label={t("kit.status")}
          hideLabel
          value={params.status ?? "OPEN"}
          options={[...alertStatusOptions(), ["any", t("alerts.anyStatus")]]}
          onChange={({ target }) =>
            change({ status: target.value === "OPEN" ? undefined : target.value })}
        />
        <SelectField
          label={t("kit.type")}
          hideLabel
          value={params.type ?? ""}
          options={[["", t("alerts.anyType")], ...alertTypeOptions()]}
          onChange={({ target }) => change({ type: target.value })}
        />
        {facets.map(({ kind, label, single }) => (
          <FacetFilter
            key={kind}
            kind={kind}
            label={t(label)}
            single={single}
            ids={idsOf(params[kind])}
            onIds={(ids) => change({ [kind]: ids.join(",") })}
          />
        ))}
        <PeriodFields from={params.from} to={params.to} onChange={change} />
        {names.some((name) => params[name]) && (
          <Button
            variant="quiet"
            onClick={() => change(noFilter)}
          >
            <X aria-hidden />
            {t("alerts.clear")}
          </Button>
        )}
      </FilterSheet>
    </Toolbar>
  );
}
