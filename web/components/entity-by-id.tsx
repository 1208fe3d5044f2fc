import { useQuery } from "@tanstack/react-query";
import { read } from "#web/api/client.ts";
import { EntityLink } from "#web/components/entity-link.tsx";
import type { EntityTab } from "#web/components/entity-tabs.ts";
import { t } from "#web/messages/text.ts";

/** An entity of which only the id is known; by its number until its name is. */
export function EntityById({ id, tab }: { id: number; tab?: EntityTab }) {
  const { data } = useQuery({
    ...read("/api/dataentities/details", { params: { query: { ids: [id] } } }),
    staleTime: 5 * 60_000,
    placeholderData: undefined,
    retry: false,
  });
  const found = data?.items[0];
  return found
    ? <EntityLink of={found} tab={tab} />
    : <span className="soft">{t("components.entityNumber", { id })}</span>;
}
