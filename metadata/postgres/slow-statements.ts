/** Milliseconds from which a statement counts as slow: from the call to its last row, waiting for a connection included. */
export const slowMs = 500;

/** Distinct statements that are counted between two drains; further ones are counted together. */
export const maxStatements = 50;

/** Characters of a statement without a name that are stored. */
const maxText = 200;

/** What further statements are counted under. */
export const otherStatements = "(other statements)";

interface SlowStatement {
  /** Its name; of one without a name how it begins. */
  statement: string;
  calls: number;
  /** Milliseconds. */
  totalMs: number;
  maxMs: number;
}

/** The slow statements of this process since the last drain; values are never part of it. */
export class SlowStatements {
  #found = new Map<string, SlowStatement>();

  /** @param label name or text of the statement */
  record(label: string, ms: number): void {
    if (ms < slowMs) return;
    const text = label.replaceAll(/\s+/g, " ").trim().slice(0, maxText);
    this.#add({ statement: text, calls: 1, totalMs: ms, maxMs: ms });
  }

  /** Returns what was recorded, and forgets it. */
  drain(): SlowStatement[] {
    const found = [...this.#found.values()];
    this.#found = new Map();
    return found;
  }

  /** Takes back what was drained and could not be stored. */
  restore(statements: SlowStatement[]): void {
    for (const one of statements) this.#add(one);
  }

  #add({ statement, calls, totalMs, maxMs }: SlowStatement): void {
    const isKnown = this.#found.has(statement) || this.#found.size < maxStatements;
    const key = isKnown ? statement : otherStatements;
    const before = this.#found.get(key) ?? { statement: key, calls: 0, totalMs: 0, maxMs: 0 };
    this.#found.set(key, {
      statement: key,
      calls: before.calls + calls,
      totalMs: before.totalMs + totalMs,
      maxMs: Math.max(before.maxMs, maxMs),
    });
  }
}
