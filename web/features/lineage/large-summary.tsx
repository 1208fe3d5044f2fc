import { useMemo } from "react";
import { Button } from "#web/kit/button.tsx";
import { count, counted } from "#web/kit/numbers.ts";
import type { Model } from "#web/graph/model.ts";
import { shown } from "#web/graph/text.ts";
import type { Change } from "#web/features/lineage/address.ts";
import { ImpactSummary } from "#web/features/lineage/impact-summary.tsx";
import { impactRows } from "#web/features/lineage/impact-rows.ts";
import styles from "#web/features/lineage/large-summary.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

/** What a very large lineage is about, before it is drawn: how much is on each side, by type, and what it reaches. */
export function LargeSummary({ model, change }: { model: Model; change: Change }) {
  const sides = useMemo(() => sidesOf(model), [model]);
  const [root, ...others] = model.roots;
  const name = shown(model.nodes.get(root!)?.name ?? "");
  return (
    <section className={styles.large} aria-label={t("lineage.summaryOfALargeGraph")}>
      <h2>
        <Rich of="lineage.assetsAndJobs" values={{ count: model.nodes.size }} />
      </h2>
      {others.length === 0 && <ImpactSummary id={root!} name={name} />}
      <dl>
        {sides.map(({ title, total, types }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              {count(total)}
              <ul>
                {types.map(([type, number]) => <li key={type}>{counted(number, type)}</li>)}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
      <p>
        <Button variant="primary" onClick={() => change({ draw: "map" }, true)}>
          {t("lineage.drawMap")}
        </Button>{" "}
        <Button onClick={() => change({ draw: "all" }, true)}>{t("lineage.drawEveryAsset")}</Button>
      </p>
    </section>
  );
}

/** How much is on each side of the roots, with the most frequent types. */
function sidesOf(model: Model) {
  const rows = Map.groupBy(impactRows(model), ({ side }) => side);
  const titles = [
    ["upstream", t("lineage.upstream")],
    ["both", t("lineage.inACycleWithIt")],
    ["downstream", t("lineage.downstream")],
    ["beside", t("lineage.otherwiseConnected")],
  ] as const;
  return titles.flatMap(([side, title]) => {
    const some = rows.get(side) ?? [];
    if (some.length === 0) return [];
    const types = Map.groupBy(some, ({ node }) => node.type ?? node.classes[0] ?? "DATA_ENTITY");
    const counts = [...types].map(([type, of]) => [type, of.length] as const)
      .sort((a, b) => b[1] - a[1]).slice(0, 6);
    return [{ title, total: some.length, types: counts }];
  });
}
