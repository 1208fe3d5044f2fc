import { useMemo, useState } from "react";
import { Button } from "#web/kit/button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { Checkbox, SearchField } from "#web/kit/field.tsx";
import { count, words } from "#web/kit/numbers.ts";
import { isJobType } from "#web/graph/hops.ts";
import type { LineageNode } from "#web/graph/model.ts";
import { neighbourLimit, rankOf } from "#web/graph/neighbours.ts";
import { shown } from "#web/graph/text.ts";
import type { Side, Step } from "#web/features/lineage/address.ts";
import { everyNeighbour, moreAfter, type NeighbourSide } from "#web/features/lineage/expanding.ts";
import type { ViewportOverlayProps } from "#web/features/lineage/use-drawing.ts";
import styles from "#web/features/lineage/chooser.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

/** Rows of the list; a search finds the others. */
const maxListed = 100;

type ChooserProps = ViewportOverlayProps & { of: NeighbourSide; onClose: () => void };

/** Which neighbors of an asset are drawn: those of a list, the next page of them, or all. */
export function Chooser(props: ChooserProps) {
  const { drawing: { model, view }, state, step, of: { id, side }, onClose } = props;
  const all = useMemo(() => neighboursOf(props), [model, state.mode, id, side]);
  const drawn = useMemo(() => new Set(view.nodes.flatMap(({ members }) => members)), [view]);
  const hidden = all.filter((node) => !drawn.has(node.id)).length;
  const finish = (one: Step) => {
    step(one);
    onClose();
  };
  const more = (count: number) => finish({ kind: "more", id, side, count });
  const name = shown(model.nodes.get(id)?.name ?? "");
  return (
    <Dialog
      open
      onClose={onClose}
      title={side === "upstream"
        ? t("lineage.upstreamOf", { name })
        : t("lineage.downstreamOfName", { name })}
      about={t("lineage.ofAreInTheGraph", {
        count: count(all.length - hidden),
        length: count(all.length),
      })}
      actions={
        <>
          <Button onClick={() => finish({ kind: "close", id, side })}>
            {t("lineage.collapse")}
          </Button>
          <Button onClick={() => more(everyNeighbour)}>{t("lineage.expandAll")}</Button>
          <Button
            variant="primary"
            disabled={hidden === 0}
            onClick={() => more(moreAfter(state.steps, id, side))}
          >
            <Rich of="lineage.showMore" values={{ page: Math.min(neighbourLimit.page, hidden) }} />
          </Button>
        </>
      }
    >
      <Choices {...props} all={all} drawn={drawn} />
    </Dialog>
  );
}

/** The neighbors by name, each to be drawn or not; those that are drawn anyway cannot be taken away. */
function Choices(
  { state, change, step, all, drawn }: ChooserProps & {
    all: LineageNode[];
    drawn: ReadonlySet<number>;
  },
) {
  const [text, setText] = useState("");
  // Those that can be chosen come first, and stay where they are when they are.
  const [before] = useState(drawn);
  const listed = useMemo(
    () => all.toSorted((a, b) => Number(before.has(a.id)) - Number(before.has(b.id))),
    [all, before],
  );
  const wanted = text.trim().toLowerCase();
  const found = listed.filter(({ name }) => name.toLowerCase().includes(wanted));
  const picked = (id: number) => state.steps.some((one) => one.kind === "pick" && one.id === id);
  const toggle = (id: number) =>
    picked(id)
      ? change({ steps: state.steps.filter((one) => one.kind !== "pick" || one.id !== id) })
      : step({ kind: "pick", id });
  return (
    <>
      <SearchField label={t("lineage.searchByName")} value={text} onValue={setText} />
      <ul className={styles.list} aria-label={t("lineage.neighbors")}>
        {found.slice(0, maxListed).map((node) => (
          <li key={node.id}>
            <Checkbox
              label={labelOf(node)}
              checked={drawn.has(node.id) || picked(node.id)}
              disabled={drawn.has(node.id) && !picked(node.id)}
              onChange={() => toggle(node.id)}
            />
          </li>
        ))}
      </ul>
      <p className="soft" role="status">
        {found.length > maxListed
          ? t("lineage.theFirstOf", { maxListed, length: count(found.length) })
          : t("lineage.found", { length: count(found.length) })}
      </p>
    </>
  );
}

function labelOf({ name, type, hasAlerts }: LineageNode): string {
  const alerts = hasAlerts ? [t("lineage.openAlertsState")] : [];
  return [shown(name), words(type ?? "DATA_ENTITY"), ...alerts].join(" · ");
}

/** The neighbors of an asset as the drawing counts them, in the order in which it takes them: jobs that are lines do not count. */
function neighboursOf(
  { drawing: { model, near }, state, of: { id, side } }:
    & Pick<ViewportOverlayProps, "drawing" | "state">
    & { of: { id: number; side: Side } },
): LineageNode[] {
  const isLine = (node: LineageNode) => state.mode !== "jobs" && isJobType(node.type);
  const found = new Set<LineageNode>();
  const passed = new Set([id]);
  for (const at of passed) {
    for (const next of near(at, side)) {
      const node = model.nodes.get(next)!;
      const leadsOn = isLine(node) && near(next, side).length > 0;
      if (leadsOn) passed.add(next);
      else if (next !== id) found.add(node);
    }
  }
  return [...found].sort(rankOf(model));
}
