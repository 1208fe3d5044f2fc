import { type ReactNode, useLayoutEffect, useRef } from "react";
import { listText } from "#web/kit/numbers.ts";
import type { Hit } from "#web/graph/pick.ts";
import { lastPointer } from "#web/features/lineage/gestures.ts";
import type { useDrawing } from "#web/features/lineage/use-drawing.ts";
import styles from "#web/features/lineage/extras.module.css";
import { t } from "#web/messages/text.ts";

type DrawingState = ReturnType<typeof useDrawing>;

/** Pixels between the pointer and the card. */
const distance = 14;

/** The whole name of what is under the pointer, and what is so of it. */
export function HoverCard({ drawing, hit }: { drawing: DrawingState; hit: Hit | null }) {
  const text = hit && textOf(drawing, hit);
  return text && <BesidePointer>{text}</BesidePointer>;
}

function textOf({ scene, keyboardNavigation, model }: DrawingState, hit: Hit): string | null {
  if (!scene || !keyboardNavigation) return null;
  if (hit.kind === "frame") {
    const frame = scene.frames[hit.frame];
    return frame
      ? t("lineage.assetsInThisGraph", { name: frame.name, count: frame.boxes.length })
      : null;
  }
  if (hit.kind !== "line") {
    return scene.boxes[hit.box] ? keyboardNavigation.spoken(hit.box) : null;
  }
  const line = scene.lines[hit.line];
  if (!line) return null;
  const by = line.jobs.map((id) => model.nodes.get(id)?.name ?? id).slice(0, 5);
  const [from, to] = [scene.boxes[line.from]!.label, scene.boxes[line.to]!.label];
  const ends = line.weight > 1
    ? t("lineage.connections", { count: line.weight, from, to })
    : t("lineage.fromFeeds", { from, to });
  const since = line.since ? `: ${t(line.since.words)}` : "";
  const text = by.length > 0
    ? t("lineage.feedsBy", { ends, jobs: listText(by.map(String)) })
    : ends;
  return text + since;
}

/** Follows the pointer, on the side of it where there is more room. */
function BesidePointer({ children }: { children: ReactNode }) {
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const put = ({ clientX, clientY }: NonNullable<typeof lastPointer>) => {
      const { parentElement, offsetWidth, offsetHeight, style } = card.current!;
      const stage = parentElement!.getBoundingClientRect();
      const [x, y] = [clientX - stage.left, clientY - stage.top];
      const left = x > stage.width / 2 ? x - distance - offsetWidth : x + distance;
      const top = y > stage.height / 2 ? y - distance - offsetHeight : y + distance;
      style.transform = `translate(${Math.max(left, 0)}px, ${Math.max(top, 0)}px)`;
    };
    if (lastPointer) put(lastPointer);
    addEventListener("pointermove", put);
    return () => removeEventListener("pointermove", put);
  }, [children]);
  return <div ref={card} className={styles.hover}>{children}</div>;
}
