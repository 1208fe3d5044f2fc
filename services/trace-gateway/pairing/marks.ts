/** The offset of a record, and the time of its partition before it. */
export interface Mark {
  offset: number;
  time: number;
}

/**
 * Knows from where a partition has to be read again to remember all that matters: the offset that
 * stands twice the window before its time. A few marks are enough, since reading more does no harm.
 */
export class Marks {
  readonly #marks: Mark[];

  constructor(private readonly windowMs: number, first: Mark) {
    this.#marks = [first];
  }

  /** A record at `offset` is about to be taken, at `time` of the partition. */
  pass(offset: number, time: number): void {
    if (time - this.#marks.at(-1)!.time >= this.windowMs / 8) this.#marks.push({ offset, time });
  }

  /** Where to begin, for a partition whose time is `time`. */
  replayFrom(time: number): Mark {
    while (this.#marks[1] && this.#marks[1].time <= time - 2 * this.windowMs) this.#marks.shift();
    return this.#marks[0]!;
  }
}
