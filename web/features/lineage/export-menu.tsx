import { Download } from "lucide-react";
import { Fragment, useState } from "react";
import { Button } from "#web/kit/button.tsx";
import { copyAddress } from "#web/kit/copy.tsx";
import { Menu, MenuGroup, MenuItem, MenuRule } from "#web/kit/menu.tsx";
import { toast } from "#web/kit/toast.ts";
import type { Rect } from "#web/graph/geometry.ts";
import { paintBlocks } from "#web/graph/paint/from-far.ts";
import { Painter } from "#web/graph/paint.ts";
import type { Scene } from "#web/graph/scene.ts";
import { seen } from "#web/graph/viewport.ts";
import { download, fileName } from "#web/features/lineage/download.ts";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";
import { t } from "#web/messages/text.ts";

const now = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "short" });

interface ExportProps {
  viewport: GraphViewport;
  /** Null where nothing is drawn: then there are no pictures. */
  scene: Scene | null;
  name: string;
}

/** Writes the drawing, or a part of it, as a picture. */
function pictures(
  { viewport, scene, name }: ExportProps & { scene: Scene },
  progress: (text: string) => void,
) {
  const marks = viewport.marks ?? undefined;
  const { theme } = viewport;
  const caption = () => ({
    title: t("lineage.lineageOf", { name }),
    subtitle: now.format(),
    legend: marks?.legend ?? [],
  });
  return {
    async png(area?: Rect) {
      const { scenePng } = await import("#web/graph/export/png.ts");
      const painter = new Painter((data) => new Path2D(data));
      painter.extend({ paintBlocks });
      const made = await scenePng({
        ...{ scene, theme, painter, makeTile, area, marks, caption: caption() },
        // deno-lint-ignore house/interface-text -- the name of a format
        progress: (share) => progress(`PNG ${Math.round(share * 100)} %`),
      });
      download(made.blob, fileName(name, "png"));
      if (!made.reduced) return;
      const { width, height } = made;
      toast(t("lineage.scaledDownToPixels", { width: String(width), height: String(height) }), {
        about: t("lineage.svgReadable"),
      });
    },
    async svg(area?: Rect) {
      const { sceneSvg } = await import("#web/graph/export/svg.ts");
      const about = caption();
      const text = sceneSvg(scene, theme, { area, marks, title: about.title, caption: about });
      download(new Blob([text], { type: "image/svg+xml" }), fileName(name, "svg"));
    },
  };
}

/** The drawing as a link, and as a file, whole or as it is seen. */
export function ExportMenu(props: ExportProps & { onCsv: () => Promise<void> }) {
  const { scene, onCsv } = props;
  const [busy, setBusy] = useState<string | null>(null);
  const during = (what: string, work: () => Promise<void>) => {
    setBusy(what);
    work().catch((error: unknown) =>
      toast(t("lineage.couldNotCreateTheFile"), { about: String(error), tone: "bad" })
    ).finally(() => setBusy(null));
  };
  return (
    <Menu
      trigger={
        <Button busy={busy !== null}>
          <Download aria-hidden />
          {busy ?? t("lineage.export")}
        </Button>
      }
    >
      {scene && <PictureItems {...props} scene={scene} progress={setBusy} during={during} />}
      <MenuItem onClick={() => during("CSV", onCsv)}>{t("lineage.assetsAsCsv")}</MenuItem>
      <MenuItem onClick={() => void copyAddress()}>{t("lineage.copyLink")}</MenuItem>
    </Menu>
  );
}

function PictureItems(
  { progress, during, ...props }: ExportProps & {
    scene: Scene;
    progress: (text: string) => void;
    during: (what: string, work: () => Promise<void>) => void;
  },
) {
  const { png, svg } = pictures(props, progress);
  const areas = [
    [t("lineage.fullGraph"), () => undefined],
    [t("lineage.currentView"), () => seen(props.viewport.view, props.viewport.size)],
  ] as const;
  return (
    <>
      {areas.map(([label, area]) => (
        <Fragment key={label}>
          <MenuGroup label={label}>
            <MenuItem onClick={() => during("PNG", () => png(area()))}>{t("lineage.png")}</MenuItem>
            <MenuItem onClick={() => during("SVG", () => svg(area()))}>{t("lineage.svg")}</MenuItem>
          </MenuGroup>
          <MenuRule />
        </Fragment>
      ))}
    </>
  );
}

function makeTile(width: number, height: number) {
  const brush = new OffscreenCanvas(width, height)
    .getContext("2d", { alpha: false, willReadFrequently: true });
  if (!brush) throw new Error("this browser paints on no hidden canvas");
  return {
    brush,
    read: (columns: number, rows: number) => brush.getImageData(0, 0, columns, rows).data,
  };
}
