interface MemoLimits {
  /** Maximum number of characters of all texts together; beyond it the oldest are forgotten. */
  maxCharacters: number;
  /** Maximum number of characters of one text; what is made of a longer one is not kept. */
  longest: number;
}

/** What was made of texts, for what costs more to make than to look up. */
export class Memo<V> {
  /** In the order in which they were made. */
  readonly #made = new Map<string, V>();
  #characters = 0;

  constructor(private readonly limits: MemoLimits) {}

  /** Texts whose result is cached. */
  get size(): number {
    return this.#made.size;
  }

  /** What `make` makes of a text; it must make the same of the same text, and nothing undefined. */
  get(text: string, make: () => V): V {
    const known = this.#made.get(text);
    if (known !== undefined) return known;
    const made = make();
    if (text.length <= this.limits.longest) this.#keep(text, made);
    return made;
  }

  #keep(text: string, made: V): void {
    this.#made.set(text, made);
    this.#characters += text.length;
    for (const oldest of this.#made.keys()) {
      if (this.#characters <= this.limits.maxCharacters) return;
      this.#made.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}
