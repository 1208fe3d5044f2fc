/** How a lot is worked through when one of it may be what makes the work fail. */
export interface ApartOptions<T> {
  work: (lot: T[]) => Promise<void>;
  /** Whether a failure lies in what was worked on, and would come again. */
  isPoison: (error: unknown) => boolean;
  /** Takes out the one that fails by itself. */
  refuse: (one: T, error: unknown) => Promise<void>;
}

/**
 * Does `work` for a whole lot; when the lot is at fault, for its halves, down to single ones, so that
 * one that is poisoned stops no other. `work` may be done again for those that a failure left. Rejects
 * with any other failure.
 */
export async function apart<T>(lot: T[], options: ApartOptions<T>): Promise<void> {
  const [one, ...others] = lot;
  if (one === undefined) return;
  try {
    return await options.work(lot);
  } catch (error) {
    if (!options.isPoison(error)) throw error;
    if (others.length === 0) return await options.refuse(one, error);
  }
  const half = Math.ceil(lot.length / 2);
  await apart(lot.slice(0, half), options);
  await apart(lot.slice(half), options);
}
