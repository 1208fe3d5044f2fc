import { X } from "lucide-react";
import { Chip } from "#web/kit/badge.tsx";
import { Button } from "#web/kit/button.tsx";
import { SearchField, SelectField } from "#web/kit/field.tsx";
import { FilterSheet } from "#web/kit/filter-sheet.tsx";
import { words } from "#web/kit/numbers.ts";
import { pageStyles, Toolbar } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { PeriodFields } from "#web/components/period.tsx";
import { channels, deliveryStateOptions } from "#web/features/alerts/delivery-states.tsx";
import { t } from "#web/messages/text.ts";

/** Narrowed to one of them by links from elsewhere. */
const numbers = ["alert", "entity", "event"] as const;
const names = ["state", "channel", "recipient", "from", "to", ...numbers];

export function DeliveryFilters() {
  const [params, change] = useParamsOfView();
  return (
    <Toolbar>
      <SearchField
        label={t("alerts.recipientExactMatch")}
        className={pageStyles.grow}
        value={params.recipient ?? ""}
        onValue={(recipient) => change({ recipient })}
      />
      <FilterSheet set={names.filter((name) => name !== "recipient" && params[name]).length}>
        <SelectField
          label={t("alerts.state")}
          hideLabel
          value={params.state ?? ""}
          options={[["", t("alerts.anyState")], ...deliveryStateOptions()]}
          onChange={({ target }) => change({ state: target.value })}
        />
        <SelectField
          label={t("kit.channel")}
          hideLabel
          value={params.channel ?? ""}
          options={[
            ["", t("alerts.anyChannel")],
            ...channels.map((one) => [one, words(one)] as const),
          ]}
          onChange={({ target }) => change({ channel: target.value })}
        />
        <PeriodFields from={params.from} to={params.to} onChange={change} />
        {numbers.map((name) =>
          params[name] && (
            <Chip
              key={name}
              name={t("alerts.ofOne", { kind: name, id: params[name] })}
              onRemove={() => change({ [name]: undefined })}
            />
          )
        )}
        {names.some((name) => params[name]) && (
          <Button
            variant="quiet"
            onClick={() => change(Object.fromEntries(names.map((name) => [name, undefined])))}
          >
            <X aria-hidden />
            {t("alerts.clear")}
          </Button>
        )}
      </FilterSheet>
    </Toolbar>
  );
}
