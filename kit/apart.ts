/** How a batch is processed when a single item of it may be what makes the work fail. */
export interface ApartOptions<T> {
  work: (batch: T[]) => Promise<void>;
  /** Whether a failure is caused by the items themselves, so that repeating the work would fail again. */
  isPoison: (error: unknown) => boolean;
  /** Called with a single item that fails by itself. */
  refuse: (one: T, error: unknown) => Promise<void>;
}

/**
 * Does `work` for a whole batch. When an item of it is at fault, the batch is halved again and again until
 * that item is alone, so that one poisoned item stops no other. `work` may be repeated for items of a batch
 * that failed. Rejects with any failure that is not caused by an item.
 */
export async function apart<T>(batch: T[], options: ApartOptions<T>): Promise<void> {
  const [one, ...others] = batch;
  if (one === undefined) return;
  try {
    return await options.work(batch);
  } catch (error) {
    if (!options.isPoison(error)) throw error;
    if (others.length === 0) return await options.refuse(one, error);
  }
  const half = Math.ceil(batch.length / 2);
  await apart(batch.slice(0, half), options);
  await apart(batch.slice(half), options);
}
