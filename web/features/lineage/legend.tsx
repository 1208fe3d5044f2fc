import { useQueries } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { read, type Schema } from "#web/api/client.ts";
import styles from "#web/features/lineage/extras.module.css";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";
import { useSame } from "#web/features/lineage/hooks.ts";
import type { ViewportOverlayProps } from "#web/features/lineage/use-drawing.ts";
import type { Walkable } from "#web/graph/adjacency.ts";
import { type ColourFacts, colourOf, legendOf } from "#web/graph/colours.ts";
import { OpenHealthMarks } from "#web/graph/health-marks.ts";
import type { BoxHealth } from "#web/graph/health.ts";
import { iconPaths } from "#web/graph/icon-paths.ts";
import type { Marks } from "#web/graph/marks.ts";
import type { Model, View } from "#web/graph/model.ts";
import type { Scene } from "#web/graph/scene.ts";
import { type Colouring, colourings, type Theme } from "#web/graph/style.ts";
import { distances } from "#web/graph/walks.ts";
import { oneOf } from "#web/kit/search-params.ts";
import { t } from "#web/messages/text.ts";

/** What the colours, dots and dashes of a drawing say; it reads what they say, too. */
export function Legend(
  { drawing: { model, view, graph }, state, change, scene, viewport, setAppearance }:
    & ViewportOverlayProps
    & { scene: Scene; viewport: GraphViewport },
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
        {signs.map(([, sign, color, text]) => (
          <li key={text}>
            <span style={{ color }} aria-hidden>{sign}</span>
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

const colourTexts = (): Record<Colouring, string> => ({
  type: t("lineage.colorByType"),
  source: t("lineage.colorBySource"),
  owner: t("lineage.colorByOwner"),
  freshness: t("lineage.colorByFreshness"),
  tests: t("lineage.colorByTests"),
});

/** Dots, triangles and dashes that are in a drawing, each with its colour and what it says. */
function signsOf(facts: ColourFacts, scene: Scene, theme: Theme) {
  const any = (test: (health: BoxHealth) => boolean) => [...facts.health.values()].some(test);
  const { alert, muted, changes } = theme;
  const signs: [isThere: boolean, sign: string, color: string, text: string][] = [
    [any(({ freshness }) => freshness === "FRESH"), "●", changes.came, t("lineage.updatedAsUsual")],
    [any(({ freshness }) => freshness === "LATE"), "●", alert, t("lineage.late")],
    [any(({ isBelowAlert }) => isBelowAlert), "△", muted, t("lineage.alertUpstream")],
    [scene.lines.some(({ reversed }) => reversed), "┄", muted, t("lineage.closesACycle")],
  ];
  return signs.filter(([isThere]) => isThere);
}

/** Entities of one request; the service takes no more. */
const maxRequested = 200;

/** In a drawing of more boxes nobody can see how each is. */
const maxBoxesWithHealth = 400;

/** How the entities of a drawing are, read for those that have a box of their own, and for jobs that are lines. */
function useHealth(
  { nodes, edges }: View,
  model: Model,
  graph: Walkable,
  isPast: boolean,
): ReadonlyMap<number, BoxHealth> {
  const ids = useMemo(() => {
    if (isPast || nodes.length > maxBoxesWithHealth) return [];
    const single = nodes.filter(({ kind }) => kind === "entity").map(({ members }) => members[0]!);
    // Several jobs of a line are counted, not named.
    const jobs = edges.flatMap((edge) => edge.jobs.length === 1 ? edge.jobs : []);
    return [...new Set([...single, ...jobs])].filter((id) => !model.nodes.get(id)?.hollow)
      .sort((a, b) => a - b);
  }, [nodes, edges, model, isPast]);
  const answers = useQueries({
    queries: Array.from({ length: Math.ceil(ids.length / maxRequested) }, (_, at) => ({
      ...read("/api/dataentities/health", {
        query: { ids: ids.slice(at * maxRequested, (at + 1) * maxRequested) },
      }),
      staleTime: 60_000,
      retry: false,
    })),
  });
  const pieces = useSame(answers.map(({ data }) => data));
  return useMemo(() => {
    const below = belowAlerts(model, graph);
    const items = pieces.flatMap((piece) => piece?.items ?? []);
    return new Map(items.map((item) => [item.id, healthOf(item, below.has(item.id))]));
  }, [pieces, model, graph]);
}

function healthOf(
  { freshness, last_run, tests, owners, columns_total }: Schema<"AssetHealth">,
  isBelowAlert: boolean,
): BoxHealth {
  return {
    freshness: freshness?.state ?? null,
    tests: { total: tests.total, passed: tests.success_total, failed: tests.failed_total },
    lastRun: last_run && { status: last_run.status, at: Date.parse(last_run.at) },
    owners: owners.map(({ name }) => name),
    columns: columns_total,
    isBelowAlert,
  };
}

/** Entities that something with open alerts feeds, within the drawing. */
function belowAlerts({ nodes }: Model, { ids, index, down }: Walkable): Set<number> {
  const starts = [...nodes.values()].filter(({ hasAlerts }) => hasAlerts)
    .flatMap(({ id }) => index.get(id) ?? []);
  const steps = distances(ids.length, starts, [down]);
  return new Set(ids.filter((_, at) => steps[at]! > 0));
}
