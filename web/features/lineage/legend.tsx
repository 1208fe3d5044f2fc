import { useEffect, useMemo, useSyncExternalStore } from "react";
import { iconPaths } from "#web/graph/icon-paths.ts";
import { oneOf } from "#web/kit/search-params.ts";
import { type ColourFacts, colourOf, legendOf } from "#web/graph/colours.ts";
import { type Colouring, colourings, type Theme } from "#web/graph/style.ts";
import { OpenHealthMarks } from "#web/graph/health-marks.ts";
import type { Marks } from "#web/graph/marks.ts";
import type { Scene } from "#web/graph/scene.ts";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";
import { useHealth } from "#web/features/lineage/use-health.ts";
import type { ViewportOverlayProps } from "#web/features/lineage/viewport-overlay.ts";
import styles from "#web/features/lineage/extras.module.css";
import { t } from "#web/messages/text.ts";

const colourTexts = (): Record<Colouring, string> => ({
  type: t("lineage.colorByType"),
  source: t("lineage.colorBySource"),
  owner: t("lineage.colorByOwner"),
  freshness: t("lineage.colorByFreshness"),
  tests: t("lineage.colorByTests"),
});

/** What the colours, dots and dashes of a drawing say; it reads what they say, too. */
export function Legend(
  { drawing: { model, view, graph }, state, change, scene, viewport, setAppearance }:
    & ViewportOverlayProps
    & {
      scene: Scene;
      viewport: GraphViewport;
    },
) {
  const health = useHealth(view, model, graph, state.asOf !== null);
  const facts = useMemo((): ColourFacts => {
    const names = new Map(
      [...model.nodes.values()].map(({ source }) => [source?.id, source?.name]),
    );
    return { health, sourceName: (id) => names.get(id) ?? String(id) };
  }, [model, health]);
  const { colour: by } = state;
  const theme = useSyncExternalStore(
    (changed) => viewport.subscribe(changed),
    () => viewport.theme,
  );
  const legend = useMemo(() => legendOf(theme, by, scene.boxes, facts), [theme, by, scene, facts]);
  useEffect(() => {
    const colour: Marks["colour"] = (theme, box) => colourOf(theme, by, box, facts).colour;
    setAppearance({ health: new OpenHealthMarks(health), colour, icons: iconPaths, legend });
  }, [by, facts, legend]);
  const signs = signsOf(facts, scene, theme);
  return (
    <div className={styles.legend}>
      <select
        aria-label={t("lineage.colorBy")}
        value={by}
        onChange={({ target }) => change({ colour: oneOf(target.value, colourings) ?? "type" })}
      >
        {colourings.map((one) => <option key={one} value={one}>{colourTexts()[one]}</option>)}
      </select>
      <ul aria-label={t("lineage.legend")}>
        {legend.map(({ label, colour }) => (
          <li key={label}>
            <span className={styles.swatch} style={{ background: colour }} aria-hidden />
            {label}
          </li>
        ))}
        {signs.map(([sign, color, text]) => (
          <li key={text}>
            <span style={{ color }} aria-hidden>{sign}</span>
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Dots, triangles and dashes that are in a drawing, each with its colour and what it says. */
function signsOf(
  facts: ColourFacts,
  scene: Scene,
  theme: Theme,
): [sign: string, color: string, text: string][] {
  const known = [...facts.health.values()];
  const signs: [sign: string, color: string, text: string][] = [];
  if (known.some(({ freshness }) => freshness === "FRESH")) {
    signs.push(["●", theme.changes.came, t("lineage.updatedAsUsual")]);
  }
  if (known.some(({ freshness }) => freshness === "LATE")) signs.push(["●", theme.alert, "late"]);
  if (known.some(({ isBelowAlert }) => isBelowAlert)) {
    signs.push(["△", theme.muted, t("lineage.alertUpstream")]);
  }
  if (scene.lines.some(({ reversed }) => reversed)) {
    signs.push(["┄", theme.muted, t("lineage.closesACycle")]);
  }
  return signs;
}
