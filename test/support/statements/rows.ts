import { marks } from "#test/support/statements/marks.ts";
import { reads } from "#test/support/statements/reads.ts";
import { termRows } from "#test/support/statements/terms.ts";
import type { StatementWorld } from "#test/support/statements/world.ts";
import { writes } from "#test/support/statements/writes.ts";

/** A world, with what many calls need. */
export interface CallWorld extends StatementWorld {
  /** `page` and `size` of a page with all that the world has. */
  page: string;
  /** A search that finds all of the world. */
  search: string;
  /** A search for terms that finds all of them. */
  termSearch: string;
  /** 0 for the call that fills caches, 1 for the one that counts: for changes that must differ. */
  round: number;
}

/** A path to GET, or a call with a body. */
export type Call = string | [method: "POST" | "PUT" | "DELETE", path: string, body?: unknown];

/** How to call each operation, by its id, with as many items as its world has. */
export type Rows = Record<string, (world: CallWorld) => Call>;

/** Every operation whose statements are counted: a new one is a line of one of these files. */
export const rows: Rows = { ...reads, ...writes, ...marks, ...termRows };
