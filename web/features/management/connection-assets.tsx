import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read, type Schema, send } from "#web/api/client.ts";
import { buttonClass } from "#web/kit/button.tsx";
import { nameOf } from "#web/components/entity-link.tsx";
import styles from "#web/features/management/management.module.css";
import { t } from "#web/messages/text.ts";

/** Milliseconds between two looks for assets, which come soon after the run, and most looks. */
const again = { ms: 1_500, most: 20 };

/** Leads from a run to the assets of its source, and to the lineage of one that has some. */
export function AssetsOfSource({ source }: { source: number }) {
  const classes = useQuery({ ...read("/api/dataentities/classes"), staleTime: Infinity }).data;
  const readers = classes?.entity_classes.find(({ name }) => name === "DATA_TRANSFORMER")?.id;
  const filters = {
    datasources: [{ entity_id: source, selected: true }],
    entity_classes: [{ entity_id: readers ?? 0, selected: true }],
  };
  const search = useQuery({
    queryKey: ["/api/search", { source, readers }],
    queryFn: () => send("post", "/api/search", { body: { query: "", filters } }),
    enabled: readers !== undefined,
    refetchInterval: ({ state }) =>
      state.data?.total || state.dataUpdateCount >= again.most ? false : again.ms,
  });
  const id = search.data?.search_id ?? "";
  const found = useQuery({
    ...read("/api/search/{search_id}/results", {
      params: { path: { search_id: id }, query: { page: 1, size: 1 } },
    }),
    enabled: Boolean(search.data?.total),
  });
  const first = found.data?.items[0];
  return (
    <p className={styles.links}>
      <Link
        to="/search"
        search={{ datasources: String(source) } as never}
        className={buttonClass({ small: true })}
      >
        {t("management.showAssets")}
      </Link>
      {first && <LineageLink of={first} />}
    </p>
  );
}

function LineageLink({ of }: { of: Schema<"DataEntity"> }) {
  return (
    <Link
      to="/dataentities/$id/lineage"
      params={{ id: String(of.id) }}
      className={buttonClass({ small: true })}
    >
      {t("management.lineageOf", { name: nameOf(of) })}
    </Link>
  );
}
