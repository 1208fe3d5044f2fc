import type { Clock } from "#kit/clock.ts";

/** Maximum number of addresses remembered; beyond it, the one that was charged longest ago is forgotten. */
export const maxAddresses = 10_000;

/** What an address owes as of a point in time; it decays. */
interface Debt {
  amount: number;
  at: number;
}

/** Token buckets by address: what each has used up lately, which it gets back with time. */
export class Debts {
  /** Ordered by last charge, oldest first. */
  readonly #debts = new Map<string, Debt>();

  /** `perSecond`: what an address gets back; `max`: most that it can owe; `changed` is called with the number of addresses that owe. */
  constructor(
    private readonly clock: Pick<Clock, "now">,
    private readonly options: { perSecond: number; max: number; changed?(size: number): void },
  ) {}

  of(address: string): number {
    const debt = this.#debts.get(address);
    if (!debt) return 0;
    const left = debt.amount - (this.clock.now() - debt.at) / 1_000 * this.options.perSecond;
    if (left > 0) return left;
    this.#debts.delete(address);
    this.options.changed?.(this.#debts.size);
    return 0;
  }

  charge(address: string, amount: number): void {
    const owed = Math.min(this.of(address) + amount, this.options.max);
    this.#debts.delete(address);
    this.#debts.set(address, { amount: owed, at: this.clock.now() });
    if (this.#debts.size > maxAddresses) this.#debts.delete(this.#debts.keys().next().value!);
    this.options.changed?.(this.#debts.size);
  }
}
