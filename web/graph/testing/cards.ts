import fc from "fast-check";
import { type ApiColumns, contentOf } from "#web/graph/cards/content.ts";
import { OpenCards } from "#web/graph/cards/open-cards.ts";
import { layoutInputOf } from "#web/graph/layout-client.ts";
import { layoutOf } from "#web/graph/layout/layout.ts";
import type { Model } from "#web/graph/model.ts";
import { buildScene, type Scene, sizeIn } from "#web/graph/scene.ts";
import { anchored, type PlacedView, ranksOf } from "#web/graph/stable.ts";
import { anyModel } from "#web/graph/testing/models.ts";
import { viewOf } from "#web/graph/view.ts";

/** An answer about columns written as `1.id:number > 2.order_id`; a column alone is one without edges. */
export function columnsAnswer(...edgeTexts: string[]): ApiColumns {
  const ids = new Map<string, number>();
  const columns: {
    id: number;
    dataset_id: number;
    name: string;
    field_id: number;
    type: null | { type: string };
  }[] = [];
  const idOf = (text: string) => {
    const [, dataset, name, type] = /^(\d+)\.([^:]+)(?::(.+))?$/.exec(text.trim())!;
    const key = `${dataset}.${name}`;
    if (!ids.has(key)) {
      ids.set(key, ids.size + 1);
      columns.push({
        id: ids.size,
        dataset_id: Number(dataset),
        name: name!,
        field_id: ids.size,
        type: type ? { type: `TYPE_${type.toUpperCase()}` } : null,
      });
    }
    return ids.get(key)!;
  };
  const edges = edgeTexts.flatMap((line) => {
    const [from, to] = line.split(" > ").map(idOf);
    return to === undefined ? [] : [{ source_id: from!, target_id: to }];
  });
  return { columns, datasets: [], edges };
}

/** The cards of these datasets, of one answer about all of them. */
export function openedOf(datasets: readonly number[], ...edgeTexts: string[]): OpenCards {
  const answers = [columnsAnswer(...edgeTexts)];
  return new OpenCards(contentOf(datasets.map((dataset) => ({ dataset, answers }))));
}

/** A model laid out with opened cards, after it was laid out before. */
export function placedWith(
  model: Model,
  cards: OpenCards | null,
  old: PlacedView | null = null,
  anchor = "",
): PlacedView & { scene: Scene } {
  const view = viewOf(model);
  const fresh = layoutOf(layoutInputOf(view, sizeIn(view, cards), ranksOf(view, old)));
  const layout = anchored(old, { view, layout: fresh }, anchor);
  const scene = buildScene({
    view,
    layout,
    nodes: model.nodes,
    roots: new Set(model.roots),
    cards,
  });
  return { view, layout, scene };
}

/** Random models with some cards opened, whose columns are made from each other. */
export const anyOpened: fc.Arbitrary<{ model: Model; cards: OpenCards }> = fc.tuple(
  anyModel,
  fc.array(fc.tuple(fc.nat(39), fc.nat(39), fc.nat(40), fc.nat(40)), { maxLength: 40 }),
).map(([model, edges]) => {
  const known = edges.filter(([from, to]) => model.nodes.has(from) && model.nodes.has(to));
  const edgeTexts = known.map(([from, to, a, b]) => `${from}.c${a} > ${to}.c${b}`);
  const sets = [...new Set(known.flatMap(([from, to]) => [from, to]))].slice(0, 8);
  return { model, cards: openedOf(sets, ...edgeTexts) };
});
