import { useQuery } from "@tanstack/react-query";
import { read } from "#web/api/client.ts";
import { activityEventTypes } from "#web/api/values.gen.ts";
import { Button } from "#web/kit/button.tsx";
import { FilterSheet } from "#web/kit/dialog.tsx";
import { SelectField } from "#web/kit/field.tsx";
import { wordOptions } from "#web/kit/numbers.ts";
import { Toolbar } from "#web/kit/page.tsx";
import { useParamsOfView, without } from "#web/kit/search-params.ts";
import { usualDays } from "#web/features/activity/events.ts";
import { t } from "#web/messages/text.ts";

/** Days that are looked back. */
const times = () =>
  [
    ["1", t("activity.today")],
    ...[7, 30, 90].map((count) => [String(count), t("activity.days", { count })] as const),
    ["365", t("activity.aYear")],
  ] as const;
const first = { page: 1, size: 100 };
const filters = ["event", "user", "source", "namespace", "tags", "owners"];

/** Time, kind of event and who; with `whole`, also where in the catalogue. */
export function Filters({ whole }: { whole?: boolean }) {
  const [params, change] = useParamsOfView();
  const users = useQuery(read("/api/activity/users", { query: first })).data;
  const names = (users?.items ?? []).map(({ identity, owner }) =>
    [identity.username, owner ? `${owner.name} (${identity.username})` : identity.username] as const
  );
  const set = filters.filter((name) => params[name]).length;
  return (
    <Toolbar>
      <FilterSheet set={set}>
        <SelectField
          label={t("activity.time")}
          hideLabel
          value={params.days ?? String(usualDays)}
          options={times()}
          onChange={({ target }) => change({ days: target.value }, true)}
        />
        <SelectField
          label={t("kit.whatHappened")}
          hideLabel
          value={params.event ?? ""}
          options={[["", t("activity.anything")], ...wordOptions(activityEventTypes)]}
          onChange={({ target }) => change({ event: target.value }, true)}
        />
        <SelectField
          label={t("activity.who")}
          hideLabel
          value={params.user ?? ""}
          options={[["", t("activity.anybody")], ...names]}
          onChange={({ target }) => change({ user: target.value }, true)}
        />
        {whole && <ActivityViews />}
        {set > 0 && (
          <Button variant="quiet" onClick={() => change(without(filters), true)}>
            {t("activity.clearFilters")}
          </Button>
        )}
      </FilterSheet>
    </Toolbar>
  );
}

/** Where in the catalogue it happened. */
function ActivityViews() {
  const [params, change] = useParamsOfView();
  const query = { query: first };
  const sources = useQuery(read("/api/datasources", query)).data?.items ?? [];
  const namespaces = useQuery(read("/api/namespaces", query)).data?.items ?? [];
  const owners = useQuery(read("/api/owners", query)).data?.items ?? [];
  const tags = useQuery(read("/api/tags", query)).data?.items ?? [];
  const fields = [
    ["source", t("activity.source"), t("activity.anySource"), sources],
    ["namespace", t("kit.namespace"), t("activity.anyNamespace"), namespaces],
    ["owners", t("kit.owner"), t("activity.anyOwner"), owners],
    ["tags", t("activity.tag"), t("activity.anyTag"), tags],
  ] as const;
  return fields.map(([name, label, any, items]) =>
    items.length > 0 && (
      <SelectField
        key={name}
        label={label}
        hideLabel
        value={params[name] ?? ""}
        options={[["", any], ...items.map((one) => [String(one.id), one.name] as const)]}
        onChange={({ target }) => change({ [name]: target.value }, true)}
      />
    )
  );
}
