import type { Clock } from "#kit/clock.ts";
import { bounded } from "#kit/text.ts";
import type { Health } from "#kit/worker.ts";
import { masked } from "#platform/secrets.ts";

/** How a worker stands, as other processes and operators see it. */
export interface WorkerStatus {
  name: string;
  ready: boolean;
  state: string;
  /** When it was first seen in this state, RFC 3339. */
  since: string;
  /** Why, or what else there is to know; without secrets. */
  cause: string | null;
}

/** This process among those of the instance. */
export interface OwnProcess {
  /** Unique: `<host>:<process id>:<random>`. */
  holder: string;
  services: string[];
  version: string;
  /** RFC 3339. */
  startedAt: string;
  workers(): WorkerStatus[];
  /** Where it listens; undefined until it does. */
  url(): string | undefined;
}

/** Maximum length of a cause, in UTF-16 units. */
export const maxCause = 500;

/** Status of the workers of this process, and since when. Read it at least once a second: it detects changes only then. */
export class WorkerWatch {
  readonly #since = new Map<string, { state: string; at: number }>();
  #health: () => Record<string, Health> = () => ({});

  constructor(private readonly clock: Clock) {}

  /** From now on it looks at these. */
  observe(health: () => Record<string, Health>): void {
    this.#health = health;
  }

  statuses(): WorkerStatus[] {
    return Object.entries(this.#health()).map(([name, { ready, state, detail }]) => ({
      name,
      ready,
      state,
      since: new Date(this.#sinceOf(name, state)).toISOString(),
      cause: detail ? bounded(masked(detail), maxCause) : null,
    }));
  }

  #sinceOf(name: string, state: string): number {
    const known = this.#since.get(name);
    if (known?.state === state) return known.at;
    const at = this.clock.now();
    this.#since.set(name, { state, at });
    return at;
  }
}
