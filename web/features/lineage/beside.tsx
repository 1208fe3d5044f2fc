import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useMemo } from "react";
import { Sidebar, type SidebarProps } from "#web/features/lineage/sidebar.tsx";
import styles from "#web/features/lineage/sidebar.module.css";
import { read } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { count, words } from "#web/kit/numbers.ts";
import { Time } from "#web/kit/time.tsx";
import type { Model, ViewEdge } from "#web/graph/model.ts";
import { shown } from "#web/graph/text.ts";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

/** Details next to the drawing: of the asset or connection that was clicked, otherwise what changed. */
export function Beside(
  { drawing, state, change, onJump }: Omit<SidebarProps, "id"> & { onJump: (id: number) => void },
) {
  const { model, view } = drawing;
  const [box = "", other] = state.selected;
  if (box.startsWith("e") && other === undefined) {
    return <Sidebar {...{ drawing, state, change }} id={Number(box.slice(1))} />;
  }
  const edge = view.edges.find(({ from, to }) => from === box && to === other);
  if (edge && edge.jobs.length > 0) return <LineSidebar {...{ drawing, change, edge }} />;
  return state.compare && model.changes ? <ChangedList {...{ model, onJump }} /> : null;
}

const maxListed = 100;

/** The jobs that a line stands for, each with its last run. */
function LineSidebar(
  { drawing: { model, view }, change, edge }: Omit<SidebarProps, "id" | "state"> & {
    edge: ViewEdge;
  },
) {
  const jobs = edge.jobs.slice(0, maxListed);
  const { data } = useQuery(read("/api/dataentities/health", { query: { ids: jobs } }));
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
                  {nameIn(model, id)}
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

/** What was added and removed since a time, next to the drawing that shows both; a click goes there. */
function ChangedList({ model, onJump }: { model: Model; onJump: (id: number) => void }) {
  const sections = useMemo(() => sectionsOf(model), [model]);
  return (
    <aside className={styles.sidebar} aria-label={t("lineage.changes")}>
      {sections.length === 0 && <p>{t("lineage.nothingChanged")}</p>}
      {sections.map(({ title, items }) => (
        <section key={title} className={styles.section}>
          <h2>{title} ({count(items.length)})</h2>
          <ul>
            {items.slice(0, maxListed).map(({ key, text, id }) => (
              <li key={key} className={styles.column}>
                <button
                  type="button"
                  onClick={() =>
                    onJump(id)}
                >
                  {text}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </aside>
  );
}

function nameIn({ nodes }: Model, id: number): string {
  return shown(nodes.get(id)?.name ?? `#${id}`);
}

function sectionsOf(model: Model) {
  const name = (id: number) => nameIn(model, id);
  const assets = (change: "came" | "left") =>
    [...model.nodes.keys()].filter((id) => model.changes?.ofNode(id) === change)
      .map((id) => ({ key: String(id), text: name(id), id }));
  const edges = (change: "added" | "removed") =>
    model.edges.filter((edge) => model.changes?.ofEdge(edge) === change)
      .map(({ source, target }) => ({
        key: `${source}>${target}`,
        text: `${name(source)} → ${name(target)}`,
        id: target,
      }));
  return [
    { title: t("lineage.added"), items: assets("came") },
    { title: t("lineage.removed"), items: assets("left") },
    { title: t("lineage.addedConnections"), items: edges("added") },
    { title: t("lineage.removedConnections"), items: edges("removed") },
  ].filter(({ items }) => items.length > 0);
}
