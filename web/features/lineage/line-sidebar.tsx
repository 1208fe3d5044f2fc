import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { read } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { count, words } from "#web/kit/numbers.ts";
import { Time } from "#web/kit/time.tsx";
import type { ViewEdge } from "#web/graph/model.ts";
import { shown } from "#web/graph/shown.ts";
import type { SidebarProps } from "#web/features/lineage/sidebar-props.ts";
import styles from "#web/features/lineage/sidebar.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

/** Jobs that are listed. */
const maxListed = 100;

/** The jobs that a line stands for, each with its last run. */
export function LineSidebar(
  { drawing: { model, view }, change, edge }: Omit<SidebarProps, "id" | "state"> & {
    edge: ViewEdge;
  },
) {
  const jobs = edge.jobs.slice(0, maxListed);
  const { data } = useQuery(
    read("/api/dataentities/health", { params: { query: { ids: jobs } } }),
  );
  const runs = new Map(data?.items.map(({ id, last_run }) => [id, last_run]));
  const name = (box: string) => shown(view.nodes.find(({ key }) => key === box)?.label ?? "");
  return (
    <aside className={styles.sidebar} aria-label={t("lineage.aboutTheConnection")}>
      <header className={styles.head}>
        <h2 className={styles.name}>{name(edge.from)} → {name(edge.to)}</h2>
        <IconButton label={t("kit.close")} small onClick={() => change({ selected: [] }, true)}>
          <X />
        </IconButton>
      </header>
      <section className={styles.section}>
        <h3>
          <Rich of="lineage.jobs" values={{ length: count(edge.jobs.length) }} />
        </h3>
        <ul>
          {jobs.map((id) => {
            const run = runs.get(id);
            return (
              <li key={id}>
                <Link to="/dataentities/$id/overview" params={{ id: String(id) }}>
                  {shown(model.nodes.get(id)?.name ?? `#${id}`)}
                </Link>
                {run && (
                  <span className="soft">
                    {" "}
                    · {words(run.status).toLowerCase()} <Time at={run.at} />
                  </span>
                )}
              </li>
            );
          })}
        </ul>
      </section>
    </aside>
  );
}
