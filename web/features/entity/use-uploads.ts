import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ask, refresh } from "#web/api/client.ts";
import { ApiError, messagesByField } from "#web/api/errors.ts";
import { bytes } from "#web/kit/numbers.ts";
import { toast } from "#web/kit/toast.tsx";
import { t } from "#web/messages/text.ts";

/** A file on its way. */
export interface UploadState {
  key: number;
  name: string;
  /** From 0 to 1. */
  share: number;
  /** Why it did not arrive. */
  error?: string;
  cancel: () => void;
  retry: () => void;
}

/** Files that are being uploaded to an entity, each by itself. `max`: bytes that a file may have. */
export function useUploads(id: number, max: number | undefined) {
  const queries = useQueryClient();
  const [files, setFiles] = useState<UploadState[]>([]);
  const next = useRef(0);
  const drop = (key: number) => setFiles((now) => now.filter((one) => one.key !== key));
  const change = (key: number, some: Partial<UploadState>) =>
    setFiles((now) => now.map((one) => one.key === key ? { ...one, ...some } : one));

  const start = (file: File) => {
    const key = next.current++;
    const abort = new AbortController();
    const cancel = () => {
      abort.abort();
      drop(key);
    };
    const retry = () => {
      drop(key);
      start(file);
    };
    const error = max !== undefined && file.size > max
      ? t("entity.fileTooLarge", { size: bytes(file.size), max: bytes(max) })
      : undefined;
    setFiles((now) => [...now, { key, name: file.name, share: 0, error, cancel, retry }]);
    if (error) return;
    const isTemporary = (cause: unknown) => cause instanceof ApiError && cause.temporary;
    const onProgress = (share: number) => change(key, { share });
    upload(file, callsOf(id, abort.signal), { signal: abort.signal, onProgress, isTemporary })
      .then(async () => {
        await refresh(queries, "/api/dataentities/{data_entity_id}/attachments");
        drop(key);
        toast(t("entity.isUploaded", { name: file.name }));
      })
      .catch((cause) => {
        if (abort.signal.aborted) return;
        change(key, { error: [...messagesByField(cause).values()].join("; ") });
      });
  };
  return { files, start };
}

function callsOf(id: number, signal: AbortSignal): UploadCalls {
  const of = { data_entity_id: id };
  return {
    begin: async (fileName) => {
      const made = await ask("post", "/api/dataentities/{data_entity_id}/files/uploads", {
        params: { path: of },
        body: { fileName },
        signal,
      });
      return made.data.id;
    },
    chunk: (upload_id, index, some) => {
      const body = new FormData();
      body.set("file", some);
      body.set("index", String(index));
      return ask("post", "/api/dataentities/{data_entity_id}/files/uploads/{upload_id}/chunks", {
        params: { path: { ...of, upload_id } },
        // A form is sent as it is, whatever the document calls its parts.
        body: body as never,
        signal,
      });
    },
    complete: (upload_id) =>
      ask("put", "/api/dataentities/{data_entity_id}/files/uploads/{upload_id}", {
        params: { path: { ...of, upload_id } },
        signal,
      }),
    cancel: (upload_id) =>
      ask("delete", "/api/dataentities/{data_entity_id}/files/uploads/{upload_id}", {
        params: { path: { ...of, upload_id } },
      }),
  };
}

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
/** Chunks that a file may have. */
const maxChunks = 1_000;
/** Attempts at a chunk before the upload fails. */
const attempts = 3;

/** How large the chunks of a file of so many bytes are. */
export function chunkSize(bytes: number): number {
  return Math.max(usualChunk, Math.ceil(bytes / maxChunks));
}

/** Waits between attempts, unless it is cancelled before. */
type Pause = (attempt: number, error: unknown) => Promise<void>;

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
    pause?: Pause;
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

const waitBetween: Pause = (attempt) => new Promise((done) => setTimeout(done, 500 * 2 ** attempt));
