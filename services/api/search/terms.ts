/** Looked through for matches, UTF-16 units: of one text, and of all that one search looks at. */
const lookedThrough = 100_000;
export const lookedThroughInAll = 2_000_000;

/** Of all terms, those that end with what leads here from the root, letter by letter backwards. */
interface Node {
  next: Map<number, Node>;
  /** Where the longest other beginning goes on that what was read ends with. */
  fallback: Node;
  /** Length of the longest term that begins at the letter read last; 0 for none. */
  longest: number;
}

/**
 * Finds terms in texts (Aho and Corasick's automaton, read backwards): the time grows with the length of
 * the text alone, however many terms there are and however they repeat themselves.
 */
export class Terms {
  readonly #root = nodeOf();
  #left = lookedThroughInAll;

  constructor(terms: Iterable<string>) {
    for (const term of terms) this.#add(term);
    this.#link();
  }

  /** What of a text is looked through, UTF-16 units; little or nothing after many others. */
  take(text: string): number {
    const taken = Math.min(text.length, lookedThrough, this.#left);
    this.#left -= taken;
    return taken;
  }

  /** For each place of `text`, the length of the longest term that begins there; 0 for none. */
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

  /** Level by level, so that shorter beginnings are known before longer ones fall back to them. */
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
