import { type LineageState, maxCards } from "#web/features/lineage/address.ts";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";
import type { ViewportOverlayProps } from "#web/features/lineage/use-drawing.ts";
import { walkable } from "#web/graph/adjacency.ts";
import { type Column, datasetOf } from "#web/graph/cards/content.ts";
import type { Model } from "#web/graph/model.ts";
import type { Cards } from "#web/graph/scene-parts.ts";
import type { SceneBox } from "#web/graph/scene.ts";
import { levelFrom } from "#web/graph/style.ts";
import { shown } from "#web/graph/text.ts";
import { zoomAt } from "#web/graph/viewport.ts";
import { hopsFrom } from "#web/graph/walks.ts";

/** Whether a box stands for one dataset, whose columns may be known. */
export function hasColumns(model: Model, { kind, members }: SceneBox): boolean {
  return kind === "entity" && isDataset(model, members[0]!);
}

/** Of what is deleted the service tells no columns. */
export function isDataset(model: Model, id: number): boolean {
  const node = model.nodes.get(id);
  return node !== undefined && node.classes.includes("DATA_SET") && node.status !== "DELETED";
}

/** Opens the card of a dataset, or closes it and lets go of its chosen column. */
export function toggled(
  { cards, column }: Pick<LineageState, "cards" | "column">,
  id: number,
): Partial<LineageState> {
  if (!cards.includes(id)) return { cards: [...cards, id].slice(-maxCards) };
  const lost = column !== null && datasetOf(column) === id;
  return { cards: cards.filter((one) => one !== id), ...(lost && { column: null }) };
}

/** Zoom at which rows are read well. */
const readable = 0.85;

/** Opens or closes the card of a box, which stays where it is; from further away it comes nearer, so that rows are seen. */
export function toggleCard(
  { drawing, state, change, setAnchor }: ViewportOverlayProps,
  viewport: GraphViewport,
  index: number,
): void {
  const box = drawing.scene!.boxes[index]!;
  const id = box.members[0]!;
  setAnchor(box.key);
  change(toggled(state, id), true);
  const rect = viewport.onScreen(index);
  if (state.cards.includes(id) || !rect || viewport.view.zoom >= levelFrom.near) return;
  const middle = { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
  viewport.moveTo(zoomAt(viewport.view, viewport.size, middle, readable / viewport.view.zoom));
}

/** Datasets that are drawn and not opened, which the path of a column leads on to: its other ends. */
export function endsOf(
  { cards }: Pick<LineageState, "cards">,
  model: Model,
  column: Column,
  known: (key: string) => Column | undefined,
): number[] {
  const ends = new Set<number>();
  for (const side of ["from", "into"] as const) {
    const reached = new Set([column.key]);
    for (const key of reached) {
      for (const next of known(key)?.[side] ?? []) {
        reached.add(next.key);
        ends.add(next.dataset);
      }
    }
  }
  return [...ends].filter((id) => isDataset(model, id) && !cards.includes(id));
}

/** How datasets of opened cards and next to them are called. */
export function namesIn(model: Model, cards: Cards | null): (id: number) => string {
  return (id) => shown(model.nodes.get(id)?.name ?? cards?.content.names.get(id) ?? `#${id}`);
}

/** The chosen column, if it is one of an opened card of that dataset. */
export function columnOf(
  cards: Cards | null,
  key: string | null,
  dataset: number,
): Column | undefined {
  return cards?.content.cards.find((card) => card.dataset === dataset)
    ?.columns.find((column) => column.key === key);
}

/** More cards are opened one by one. */
const maxFirstCards = 8;

/** Where columns are drawn: the start and the datasets next to it, the nearest first. */
export function firstCards(model: Model): number[] {
  const graph = walkable(model);
  const hops = hopsFrom(graph, new Set(model.roots));
  const distance = (id: number) => {
    const { upstream, downstream } = hops.get(id) ?? { upstream: null, downstream: null };
    return Math.min(upstream ?? Infinity, downstream ?? Infinity);
  };
  return [...model.nodes.keys()].filter((id) => isDataset(model, id))
    .sort((a, b) => distance(a) - distance(b) || a - b).slice(0, maxFirstCards);
}
