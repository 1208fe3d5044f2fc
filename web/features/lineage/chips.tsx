import type { ReactNode } from "react";
import { ChipRow } from "#web/kit/badge.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { listText } from "#web/kit/numbers.ts";
import { isJobType } from "#web/graph/hops.ts";
import type { Model } from "#web/graph/model.ts";
import type { Side, Step } from "#web/features/lineage/address.ts";
import type { Extent } from "#web/features/lineage/use-view.ts";
import type { Piece } from "#web/features/lineage/fragments.ts";
import { t } from "#web/messages/text.ts";

// The drawing comes first.
const Position = lazyComponent(() =>
  import("#web/features/lineage/chip-popovers.tsx").then((all) => all.Position)
);
const Cut = lazyComponent(() =>
  import("#web/features/lineage/chip-popovers.tsx").then((all) => all.Cut)
);

/** What is to be known of how whole and how current a drawing is. */
export function Chips(
  { model, boxes, extent, position, truncated, loaded, onStep, children }: {
    model: Model;
    boxes: number;
    extent: Extent;
    position: number | null;
    truncated: Piece["truncated"];
    loaded: (id: number, side: Side) => number;
    onStep: (step: Step) => void;
    children?: ReactNode;
  },
) {
  return (
    <ChipRow>
      <span className="soft">
        {boxes === 0 && extent !== "nothing"
          ? t("lineage.loading")
          : countText(model, boxes, extent)}
      </span>
      {position !== null && <Position position={position} />}
      {children}
      {model.truncatedAt.size > 0 && <Cut {...{ model, truncated, loaded, onStep }} />}
    </ChipRow>
  );
}

function countText({ nodes }: Model, boxes: number, extent: Extent): string {
  const jobs = [...nodes.values()].filter(({ type }) => isJobType(type)).length;
  const assets = nodes.size - jobs;
  const text = listText([
    ...(assets > 0 ? [t("lineage.assetCount", { count: assets })] : []),
    ...(jobs > 0 ? [t("lineage.jobCount", { count: jobs })] : []),
  ]);
  if (extent === "nothing") return text;
  // Jobs that are lines have no box.
  const isFolded = boxes !== nodes.size && boxes < assets;
  if (!isFolded) return text;
  const drawn = { text, count: boxes };
  return extent === "map" ? t("lineage.asAMap", drawn) : t("lineage.someDrawn", drawn);
}
