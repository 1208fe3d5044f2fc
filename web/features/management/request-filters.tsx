import { SearchField, SelectField } from "#web/kit/field.tsx";
import { words } from "#web/kit/numbers.ts";
import { pageStyles, Toolbar } from "#web/kit/page.tsx";
import { oneOf, useParamsOfView } from "#web/kit/search-params.ts";
import { useListSearch } from "#web/features/management/managed-list.tsx";
import { t } from "#web/messages/text.ts";

/** What narrows requests for owners, or what happened to them, and what it is set to; `statuses`: the first one if none is chosen. */
export function useRequestFilters<Status extends string>(
  { label, statuses }: { label: string; statuses: readonly [Status, ...Status[]] },
) {
  const search = useListSearch();
  const [params, change] = useParamsOfView();
  const status = oneOf(params.status, statuses) ?? statuses[0];
  return {
    status,
    query: search.query,
    toolbar: (
      <Toolbar>
        <SearchField
          label={t("management.findAUserOrAn")}
          value={search.text}
          onValue={search.setText}
          className={pageStyles.grow}
        />
        <SelectField
          label={label}
          hideLabel
          value={status}
          options={statuses.map((one) => [one, words(one)] as const)}
          onChange={({ target }) => change({ status: target.value }, true)}
        />
      </Toolbar>
    ),
  };
}
