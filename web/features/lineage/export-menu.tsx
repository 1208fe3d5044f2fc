import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "#web/kit/button.tsx";
import { Menu, MenuGroup, MenuItem, MenuRule } from "#web/kit/menu.tsx";
import { toast } from "#web/kit/toast.tsx";
import type { Rect } from "#web/graph/geometry.ts";
import { paintBlocks } from "#web/graph/paint/blocks.ts";
import { Painter } from "#web/graph/paint.ts";
import type { Scene } from "#web/graph/scene.ts";
import { seen } from "#web/graph/viewport.ts";
import { download, fileName } from "#web/features/lineage/download.ts";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";

const now = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "short" });

/** The drawing as a file, whole or as it is seen. */
export function ExportMenu(
  { viewport, scene, name, onCsv }: {
    viewport: GraphViewport;
    scene: Scene;
    name: string;
    onCsv: () => Promise<void>;
  },
) {
  const [busy, setBusy] = useState<string | null>(null);
  const during = (what: string, work: () => Promise<void>) => {
    setBusy(what);
    work().catch((error: unknown) =>
      toast("Could not create the file", { about: String(error), tone: "bad" })
    ).finally(() => setBusy(null));
  };
  const marks = viewport.marks ?? undefined;
  const caption = () => ({
    title: `Lineage of ${name}`,
    subtitle: now.format(),
    legend: marks?.legend ?? [],
  });
  const png = (area?: Rect) =>
    during("PNG", async () => {
      const { scenePng } = await import("#web/graph/export/png.ts");
      const painter = new Painter((data) => new Path2D(data));
      painter.extend({ paintBlocks });
      const { theme } = viewport;
      const progress = (share: number) => setBusy(`PNG ${Math.round(share * 100)} %`);
      const made = await scenePng({
        scene,
        theme,
        painter,
        makeTile,
        area,
        marks,
        progress,
        caption: caption(),
      });
      download(made.blob, fileName(name, "png"));
      const size = `${made.width} × ${made.height} pixels`;
      if (made.reduced) {
        toast(`Scaled down to fit in ${size}`, { about: "SVG keeps every name readable" });
      }
    });
  const svg = (area?: Rect) =>
    during("SVG", async () => {
      const { sceneSvg } = await import("#web/graph/export/svg.ts");
      const about = caption();
      const options = { area, marks, title: about.title, caption: about };
      const text = sceneSvg(scene, viewport.theme, options);
      download(new Blob([text], { type: "image/svg+xml" }), fileName(name, "svg"));
    });
  const inView = () => seen(viewport.view, viewport.size);
  return (
    <Menu
      trigger={
        <Button busy={busy !== null}>
          <Download aria-hidden />
          {busy ?? "Export"}
        </Button>
      }
    >
      <MenuGroup label="Full graph">
        <MenuItem onClick={() => png()}>PNG</MenuItem>
        <MenuItem onClick={() => svg()}>SVG</MenuItem>
      </MenuGroup>
      <MenuRule />
      <MenuGroup label="Current view">
        <MenuItem onClick={() => png(inView())}>PNG</MenuItem>
        <MenuItem onClick={() => svg(inView())}>SVG</MenuItem>
      </MenuGroup>
      <MenuRule />
      <MenuItem onClick={() => during("CSV", onCsv)}>Entities as CSV</MenuItem>
    </Menu>
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
