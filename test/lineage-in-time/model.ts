import type { EdgePair } from "#graph/port.ts";

/** An edge as one entity declares it. */
export type Triple = readonly [establisher: number, parent: number, child: number];

interface EntityState {
  id: number;
  hollow: boolean;
  deleted: boolean;
}

/** What the catalogue holds after a step, as the model says. */
export interface CatalogueState {
  /** Entities that are there and not deleted. */
  alive: ReadonlySet<number>;
  /** Edges of which no end is deleted. */
  edges: readonly Triple[];
}

/** Distinct pairs of edges as declared. */
export function pairsOf(triples: readonly Triple[]): EdgePair[] {
  const pairs = triples.map(([, parent, child]): EdgePair => [parent, child]);
  return [...new Map(pairs.map((pair) => [pair.join(), pair])).values()];
}

/** The catalogue in memory: what its rules make of what it is told, without times. */
export class Model {
  readonly known = new Map<string, EntityState>();
  readonly #declared = new Map<number, EdgePair[]>();

  /** An entity is posted; `idOf` tells ids that the catalogue gave meanwhile. */
  post(name: string, inputs: string[], outputs: string[], idOf: (name: string) => number): void {
    for (const other of [...inputs, ...outputs]) {
      if (!this.known.has(other)) {
        this.known.set(other, { id: idOf(other), hollow: true, deleted: false });
      }
    }
    const id = this.known.get(name)?.id ?? idOf(name);
    this.known.set(name, { id, hollow: false, deleted: false });
    const of = (other: string) => this.known.get(other)!.id;
    this.#declared.set(id, [
      ...inputs.map((input): EdgePair => [of(input), id]),
      ...outputs.map((output): EdgePair => [id, of(output)]),
    ]);
  }

  setDeleted(name: string, deleted: boolean): void {
    this.known.get(name)!.deleted = deleted;
  }

  /** All that is deleted goes; what others still name becomes hollow. */
  purge(): void {
    const due = [...this.known].filter(([, { deleted }]) => deleted);
    for (const [, { id }] of due) this.#declared.delete(id);
    for (const [name, entity] of due) {
      if (this.#named(entity.id)) Object.assign(entity, { hollow: true, deleted: false });
      else this.known.delete(name);
    }
  }

  /** Hollow entities that nobody names go. */
  sweep(): void {
    for (const [name, { id, hollow }] of this.known) {
      if (hollow && !this.#named(id)) this.known.delete(name);
    }
  }

  state(): CatalogueState {
    const alive = new Set(
      [...this.known.values()].filter(({ deleted }) => !deleted).map(({ id }) => id),
    );
    const edges = [...this.#declared].flatMap(([establisher, pairs]) =>
      pairs.filter((pair) => pair.every((end) => alive.has(end)))
        .map(([parent, child]): Triple => [establisher, parent, child])
    );
    return { alive, edges };
  }

  #named(id: number): boolean {
    return [...this.#declared.values()].some((pairs) => pairs.some((pair) => pair.includes(id)));
  }
}
