/** Options for processing a batch in which a single item may fail all. */
interface BisectOptions<T> {
  work: (batch: T[]) => Promise<void>;
  /** Whether the items themselves cause the failure, so that repeating the work would fail again. */
  isPoison: (error: unknown) => boolean;
  /** Called with an item that fails even when it is processed alone. */
  refuse: (one: T, error: unknown) => Promise<void>;
}

/**
 * Runs `work` on a whole batch. When it fails because of an item, the batch is halved repeatedly until that
 * item is alone, so that one bad item does not block the others. `work` may therefore run more than once for
 * the same item. Rejects with any failure that is not caused by an item.
 */
export async function bisectBatch<T>(batch: T[], options: BisectOptions<T>): Promise<void> {
  const [one, ...others] = batch;
  if (one === undefined) return;
  try {
    return await options.work(batch);
  } catch (error) {
    if (!options.isPoison(error)) throw error;
    if (others.length === 0) return await options.refuse(one, error);
  }
  const half = Math.ceil(batch.length / 2);
  await bisectBatch(batch.slice(0, half), options);
  await bisectBatch(batch.slice(half), options);
}
