/** Most UTF-16 units searched for matches: in one text, and in all texts of one request. */
const maxScanned = 100_000;
export const maxScannedInTotal = 2_000_000;

/** A node of the trie of reversed terms: the path from the root spells the end of a term, backwards. */
interface Node {
  next: Map<number, Node>;
  /** The node of the longest proper suffix of this path that is in the trie too (the failure link). */
  fallback: Node;
  /** Length of the longest term that begins at the letter read last; 0 if there is none. */
  longest: number;
}

/**
 * Finds terms in texts with an Aho-Corasick automaton that reads backwards. The time depends only on
 * the length of the text, not on the number of terms or on repetitions within them.
 */
export class Terms {
  readonly #root = nodeOf();
  #left = maxScannedInTotal;

  constructor(terms: Iterable<string>) {
    for (const term of terms) this.#add(term);
    this.#link();
  }

  /** How much of a text may be searched, in UTF-16 units; little or nothing after many other texts. */
  take(text: string): number {
    const taken = Math.min(text.length, maxScanned, this.#left);
    this.#left -= taken;
    return taken;
  }

  /** For each position of `text`, the length of the longest term that begins there; 0 for none. */
  longestAt(text: string): Uint32Array {
    const found = new Uint32Array(text.length);
    let node = this.#root;
    for (let at = text.length - 1; at >= 0; at--) {
      node = this.#step(node, text.charCodeAt(at));
      found[at] = node.longest;
    }
    return found;
  }

  #add(term: string): void {
    let node = this.#root;
    for (let at = term.length - 1; at >= 0; at--) {
      const unit = term.charCodeAt(at);
      let next = node.next.get(unit);
      if (!next) node.next.set(unit, next = nodeOf());
      node = next;
    }
    node.longest = term.length;
  }

  /** Level by level: failure links of shorter paths must exist before longer ones need them. */
  #link(): void {
    let level = [...this.#root.next.values()];
    for (const node of level) node.fallback = this.#root;
    while (level.length > 0) {
      const below: Node[] = [];
      for (const node of level) {
        node.longest ||= node.fallback.longest;
        for (const [unit, next] of node.next) {
          next.fallback = this.#step(node.fallback, unit);
          below.push(next);
        }
      }
      level = below;
    }
  }

  #step(from: Node, unit: number): Node {
    let node = from;
    for (; node !== this.#root; node = node.fallback) {
      const next = node.next.get(unit);
      if (next) return next;
    }
    return node.next.get(unit) ?? node;
  }
}

function nodeOf(): Node {
  const node = { next: new Map(), longest: 0 } as unknown as Node;
  node.fallback = node;
  return node;
}
