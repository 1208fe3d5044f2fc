import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ask, refresh } from "#web/api/client.ts";
import { ApiError, messagesByField } from "#web/api/errors.ts";
import { bytes } from "#web/kit/numbers.ts";
import { toast } from "#web/kit/toast.ts";
import { upload, type UploadCalls } from "#web/features/entity/upload.ts";
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
