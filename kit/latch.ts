/** A wake-up that is not lost when it comes before somebody waits for it. */
export class Latch {
  #open = false;
  #release: (() => void) | undefined;

  open(): void {
    this.#open = true;
    this.#release?.();
  }

  shut(): void {
    this.#open = false;
  }

  /** Resolves when it is open, after `ms` milliseconds at the latest. */
  passed(ms: number): Promise<void> {
    if (this.#open) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#release?.(), ms);
      this.#release = () => {
        clearTimeout(timer);
        this.#release = undefined;
        resolve();
      };
    });
  }
}
