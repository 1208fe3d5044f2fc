/** What uploading a file needs of the service. */
export interface UploadCalls {
  begin: (fileName: string) => Promise<string>;
  chunk: (upload: string, index: number, bytes: Blob) => Promise<unknown>;
  complete: (upload: string) => Promise<unknown>;
  /** Gives the upload up; never cut short by the signal. */
  cancel: (upload: string) => Promise<unknown>;
}

/** Bytes of a chunk of a file that is sent in several; a file that is smaller is sent in one. */
const usualChunk = 2_000_000;
const maxChunks = 1_000;
/** Attempts at a chunk before the upload fails. */
const attempts = 3;

/** How large the chunks of a file of so many bytes are. */
export function chunkSize(bytes: number): number {
  return Math.max(usualChunk, Math.ceil(bytes / maxChunks));
}

/**
 * Sends a file chunk by chunk. A chunk that fails for a while (`isTemporary`) is sent again. `onProgress` hears the
 * share that is sent, from 0 to 1. An incomplete upload is aborted, so that it takes no place from later uploads.
 *
 * @throws what a call threw, or the signal's reason
 */
export async function upload(
  file: File,
  calls: UploadCalls,
  { signal, onProgress, isTemporary, pause = waitBetween }: {
    signal: AbortSignal;
    onProgress: (share: number) => void;
    isTemporary: (error: unknown) => boolean;
    /** Waits between attempts. */
    pause?: (attempt: number, error: unknown) => Promise<void>;
  },
): Promise<void> {
  const id = await calls.begin(file.name);
  try {
    await sendAll(id);
  } catch (error) {
    // Where this fails the server gives the upload up by itself, within a day.
    await calls.cancel(id).catch(() => {});
    throw error;
  }

  async function sendAll(id: string): Promise<void> {
    const size = chunkSize(file.size);
    const chunks = Math.max(1, Math.ceil(file.size / size));
    for (let index = 0; index < chunks; index++) {
      const bytes = file.slice(index * size, (index + 1) * size);
      await persist(() => calls.chunk(id, index, bytes));
      onProgress((index + 1) / chunks);
    }
    signal.throwIfAborted();
    await persist(() => calls.complete(id));
  }

  async function persist(work: () => Promise<unknown>): Promise<void> {
    for (let attempt = 1;; attempt++) {
      signal.throwIfAborted();
      try {
        return void await work();
      } catch (error) {
        if (signal.aborted || attempt === attempts || !isTemporary(error)) throw error;
        await pause(attempt, error);
      }
    }
  }
}

function waitBetween(attempt: number): Promise<void> {
  return new Promise((done) => setTimeout(done, 500 * 2 ** attempt));
}
