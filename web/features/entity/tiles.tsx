import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read } from "#web/api/client.ts";
import { count, shortCount } from "#web/kit/numbers.ts";
import type { EntityTab } from "#web/components/entity-link.tsx";
import { type Details, isInFlow } from "#web/features/entity/details.ts";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";

/** How large the entity is, and how much hangs on it. */
export function Tiles({ of }: { of: Details }) {
  const flows = isInFlow(of);
  if (!of.stats && of.items_count == null && !flows) return null;
  return (
    <div className={styles.tiles}>
      {of.stats && <Tile name={t("entity.rows")} value={of.stats.rows_count} />}
      {of.stats && (
        <Tile name={t("kit.columns")} value={of.stats.fields_count} to="structure" id={of.id} />
      )}
      {of.stats && <Tile name={t("entity.consumers")} value={of.stats.consumers_count} />}
      {of.items_count != null && (
        <Tile name={t("entity.members2")} value={of.items_count} to="linked" id={of.id} />
      )}
      {flows && <Neighbours id={of.id} />}
    </div>
  );
}

function Tile(
  { name, value, to, id, search }: {
    name: string;
    value: number | undefined;
    to?: EntityTab;
    id?: number;
    search?: Record<string, string>;
  },
) {
  const inner = (
    <>
      <strong title={value === undefined ? undefined : count(value)}>
        {value === undefined ? "–" : shortCount(value)}
      </strong>
      <span>{name}</span>
    </>
  );
  if (!to) return <div className={styles.tile}>{inner}</div>;
  return (
    <Link
      to={`/dataentities/$id/${to}`}
      params={{ id: String(id) }}
      search={search as never}
      className={styles.tile}
    >
      {inner}
    </Link>
  );
}

/** How many entities feed it, and how many it feeds, directly. */
function Neighbours({ id }: { id: number }) {
  const request = { params: { path: { data_entity_id: id }, query: { page: 1, size: 1 } } };
  const up = useQuery(
    read("/api/dataentities/{data_entity_id}/lineage/upstream/neighbours", request),
  );
  const down = useQuery(
    read("/api/dataentities/{data_entity_id}/lineage/downstream/neighbours", request),
  );
  return (
    <>
      <Tile
        name={t("entity.upstream")}
        value={up.data?.page_info.total}
        to="lineage"
        id={id}
        search={{ down: "0" }}
      />
      <Tile
        name={t("entity.downstream")}
        value={down.data?.page_info.total}
        to="lineage"
        id={id}
        search={{ up: "0" }}
      />
    </>
  );
}
