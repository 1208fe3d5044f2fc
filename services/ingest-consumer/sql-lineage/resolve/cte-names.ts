import type { Relation } from "./columns.ts";
import type { Name } from "./names.ts";

/** Common table expressions by name, in those around them. */
export class Ctes {
  readonly #relations = new Map<string, () => Relation>();
  /** Expressions that have a name, as ClickHouse writes them. */
  readonly expressions: { name: Name; expression: unknown }[] = [];

  constructor(readonly outer: Ctes | null) {}

  find(name: string): Relation | undefined {
    return this.#relations.get(name)?.() ?? this.outer?.find(name);
  }

  /** What it stands for is read when it is first asked for. */
  define(name: string, read: () => Relation): void {
    let known: Relation | undefined;
    this.#relations.set(name, () => known ??= read());
  }
}
