/** Collects the bound values of a statement that is composed from fragments. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value; returns its placeholder, such as `$3`. */
  bind(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
