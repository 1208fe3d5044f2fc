/** The bound values of a statement that is put together from pieces. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value; its place, such as `$3`. */
  bind(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
