import type { Column, Content } from "#web/graph/cards/content.ts";
import { type ColumnLine, columnLines, positionsOf } from "#web/graph/cards/lines.ts";
import { type ColumnPath, columnPath } from "#web/graph/cards/path.ts";
import { cardHeight, lastText, rowAt, type Rows, rowsOf } from "#web/graph/cards/rows.ts";
import { rectOf, type Scene } from "#web/graph/scene.ts";

/** A row as it is drawn. */
export interface SceneRow {
  text: string;
  type: string;
  /** Null for the row that stands for columns which have none. */
  column: Column | null;
  /** Whether it is the chosen one, on its path, or neither; null where none is chosen. */
  emphasis: "chosen" | "path" | "aside" | null;
}

/** Opened cards of a drawing. What depends on a scene, or on what is chosen, is made when it is first asked for. */
export class OpenedCards {
  readonly content: Content;
  readonly #rows: ReadonlyMap<string, Rows>;
  readonly #columns: ReadonlyMap<string, Column>;
  readonly #lines = new WeakMap<Scene, ColumnLine[]>();
  readonly #paths = new Map<string, ColumnPath>();

  constructor(content: Content) {
    this.content = content;
    this.#rows = new Map(content.cards.map((card) => [`e${card.dataset}`, rowsOf(card)]));
    this.#columns = new Map(
      content.cards.flatMap(({ columns }) => columns.map((column) => [column.key, column])),
    );
  }

  heightOf(key: string): number | undefined {
    const rows = this.#rows.get(key);
    return rows && cardHeight(rows);
  }

  /** The row at a height of the drawing: a column, or undefined for the one that stands for others; null for no row. */
  rowAt(scene: Scene, box: number, y: number): { column: Column | undefined } | null {
    const rows = this.#rows.get(scene.boxes[box]!.key);
    const at = rows ? rowAt(rows, rectOf(scene, box), y) : -1;
    return at < 0 ? null : { column: rows!.columns[at] };
  }

  /** The lines of columns of a scene. */
  lines(scene: Scene): ColumnLine[] {
    let known = this.#lines.get(scene);
    if (!known) {
      known = columnLines(scene, this.content, positionsOf(this.content, this.#rows, scene));
      this.#lines.set(scene, known);
    }
    return known;
  }

  /** The path of a chosen column; null where none is chosen that an opened card has. */
  path(key: string | null | undefined): ColumnPath | null {
    if (key == null || !this.#columns.has(key)) return null;
    let known = this.#paths.get(key);
    if (!known) this.#paths.set(key, known = columnPath(this.content.edges, key));
    return known;
  }

  /** A column of an opened card by its key. */
  column(key: string): Column | undefined {
    return this.#columns.get(key);
  }

  /** The rows of a box from top to bottom, as they look while a column is chosen; none of one that is not opened. */
  rows(scene: Scene, box: number, chosen: string | null | undefined): SceneRow[] {
    const rows = this.#rows.get(scene.boxes[box]!.key);
    if (!rows) return [];
    const path = this.path(chosen);
    const emphasis = (columns: readonly Column[]): SceneRow["emphasis"] => {
      if (!path) return null;
      if (columns.some(({ key }) => key === chosen)) return "chosen";
      return columns.some(({ key }) => path.columns.has(key)) ? "path" : "aside";
    };
    const shown = rows.columns.map((column): SceneRow => ({
      text: column.name,
      type: column.type ?? "",
      column,
      emphasis: emphasis([column]),
    }));
    const last = lastText(rows);
    if (last === "") return shown;
    return [...shown, { text: last, type: "", column: null, emphasis: emphasis(rows.rest) }];
  }
}
