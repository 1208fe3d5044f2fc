interface Executions {
  running: number;
  /** In the order in which they came. */
  readonly waiting: Set<() => void>;
}

/**
 * Runs at most so many executions of one statement at once; others wait for their turn. What asks for more of the server
 * than it has cores is not answered sooner for being begun at once, and one page that everybody opens leaves connections
 * to the others. Nobody waits longer than `waitMs`: statements that hang hold up no more than they did without it.
 */
export class StatementLimiter {
  readonly #atOnce: number;
  readonly #waitMs: number;
  /** Has only statements that run. */
  readonly #executions = new Map<string, Executions>();
  #waiting = 0;

  constructor({ atOnce, waitMs }: { atOnce: number; waitMs: number }) {
    this.#atOnce = atOnce;
    this.#waitMs = waitMs;
  }

  /** Executions that wait for their turn. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Runs `work` in the turn of its statement, with its outcome. */
  async run<T>(statement: string, work: () => Promise<T>): Promise<T> {
    const executions = this.#of(statement);
    if (executions.running < this.#atOnce) executions.running++;
    else await this.#turn(executions);
    try {
      return await work();
    } finally {
      executions.running--;
      this.#next(statement, executions);
    }
  }

  #of(statement: string): Executions {
    const known = this.#executions.get(statement);
    if (known) return known;
    const executions = { running: 0, waiting: new Set<() => void>() };
    this.#executions.set(statement, executions);
    return executions;
  }

  #turn(executions: Executions): Promise<void> {
    const { waiting } = executions;
    this.#waiting++;
    return new Promise((come) => {
      const begin = () => {
        clearTimeout(timer);
        waiting.delete(begin);
        this.#waiting--;
        executions.running++;
        come();
      };
      const timer = setTimeout(begin, this.#waitMs);
      waiting.add(begin);
    });
  }

  #next(statement: string, { running, waiting }: Executions): void {
    const [first] = waiting;
    if (first && running < this.#atOnce) first();
    else if (!first && running === 0) this.#executions.delete(statement);
  }
}
