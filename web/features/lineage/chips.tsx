import { ChipRow } from "#web/kit/badge.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { listText } from "#web/kit/numbers.ts";
import { isJobType } from "#web/graph/hops.ts";
import type { Model } from "#web/graph/model.ts";
import type { PopoverProps } from "#web/features/lineage/chip-popovers.tsx";
import type { Extent } from "#web/features/lineage/use-view.ts";
import { t } from "#web/messages/text.ts";

// The drawing comes first.
const Popovers = lazyComponent(
  () => import("#web/features/lineage/chip-popovers.tsx").then((all) => all.Popovers),
  ({ children }) => children,
);

/** What is to be known of how whole and how current a drawing is. */
export function Chips(
  { boxes, extent, ...rest }: PopoverProps & { boxes: number; extent: Extent },
) {
  return (
    <ChipRow>
      <span className="soft">
        {boxes === 0 && extent !== "nothing"
          ? t("lineage.loading")
          : countText(rest.model, boxes, extent)}
      </span>
      <Popovers {...rest} />
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
