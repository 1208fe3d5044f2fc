import { useMemo } from "react";
import { count } from "#web/kit/numbers.ts";
import type { Model } from "#web/graph/model.ts";
import { shown } from "#web/graph/shown.ts";
import styles from "#web/features/lineage/sidebar.module.css";
import { t } from "#web/messages/text.ts";

/** Entries of a section; its heading counts all. */
const maxListed = 100;

/** What was added and removed since a time, next to the drawing that shows both; a click goes there. */
export function ChangedList({ model, onJump }: { model: Model; onJump: (id: number) => void }) {
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

interface ChangedItem {
  key: string;
  text: string;
  /** Where it is in the drawing. */
  id: number;
}

function sectionsOf(model: Model): { title: string; items: ChangedItem[] }[] {
  const name = (id: number) => shown(model.nodes.get(id)?.name ?? `#${id}`);
  const assets = (change: "came" | "left") =>
    [...model.nodes.keys()].filter((id) => model.changes?.ofNode(id) === change)
      .map((id): ChangedItem => ({ key: String(id), text: name(id), id }));
  const edges = (change: "added" | "removed") =>
    model.edges.filter((edge) => model.changes?.ofEdge(edge) === change)
      .map(({ source, target }): ChangedItem => ({
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
