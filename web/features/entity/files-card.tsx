import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, FileText, Trash2, Upload, X } from "lucide-react";
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { ask, read, refresh, type Schema, send, withPath } from "#web/api/client.ts";
import { ApiError, messagesByField } from "#web/api/errors.ts";
import styles from "#web/features/entity/entity.module.css";
import { upload, type UploadCalls } from "#web/features/entity/upload.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { classes } from "#web/kit/classes.ts";
import { Confirm } from "#web/kit/dialog.tsx";
import { bytes } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Shown } from "#web/kit/states.tsx";
import { Time } from "#web/kit/time.tsx";
import { toast } from "#web/kit/toast.ts";
import { t } from "#web/messages/text.ts";

const attachmentsPath = "/api/dataentities/{data_entity_id}/attachments";

/** Files and links of an entity; one operation reads both. */
export function useAttachments(id: number) {
  return useQuery(read(attachmentsPath, { path: { data_entity_id: id } }));
}

/** Reads them again after one was changed. */
export function useRefreshAttachments(): () => Promise<void> {
  const queries = useQueryClient();
  return () => refresh(queries, attachmentsPath);
}

/** Files that people attached: a specification, a sample. With the permission, files can be dropped here. */
export function FilesCard({ id, may }: { id: number; may: boolean }) {
  const attachments = useAttachments(id);
  const options = useQuery({
    ...read("/api/dataentities/{data_entity_id}/files/uploads", { path: { data_entity_id: id } }),
    enabled: may,
    staleTime: Infinity,
  });
  const { uploads, start } = useUploads(id, options.data?.maxSize);
  const input = useRef<HTMLInputElement>(null);
  const choose = (list: FileList | null) => [...list ?? []].forEach(start);
  return (
    <Card
      title={t("entity.files")}
      actions={may && (
        <>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            aria-label={t("entity.filesToUpload")}
            onChange={(event) => {
              choose(event.target.files);
              event.target.value = "";
            }}
          />
          <Button small onClick={() => input.current?.click()}>
            <Upload aria-hidden /> {t("entity.upload")}
          </Button>
        </>
      )}
    >
      <DropZone onDrop={may ? choose : undefined}>
        <Shown of={attachments} what={t("entity.files2")} bones={1}>
          {({ files }) => (
            <>
              {files.length === 0 && uploads.length === 0 && (
                <span className="soft">
                  {may && options.data
                    ? t("entity.noFilesDropSome", { size: bytes(options.data.maxSize) })
                    : t("entity.noFilesYet")}
                </span>
              )}
              <ul className={styles.list}>
                {files.map((file) => <AttachedFile key={file.id} id={id} of={file} may={may} />)}
                {uploads.map((one) => <Uploading key={one.key} of={one} />)}
              </ul>
            </>
          )}
        </Shown>
      </DropZone>
    </Card>
  );
}

function DropZone(
  { onDrop, children }: { onDrop?: (files: FileList) => void; children: ReactNode },
) {
  const [over, setOver] = useState(false);
  const drag = (event: DragEvent, now: boolean) => {
    if (!onDrop || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(now);
  };
  return (
    <div
      className={classes(styles.drop, over && styles.over)}
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => {
        drag(event, false);
        if (event.dataTransfer.files.length > 0) onDrop?.(event.dataTransfer.files);
      }}
    >
      {children}
    </div>
  );
}

const filePath = "/api/dataentities/{data_entity_id}/files/{file_id}";

function AttachedFile({ id, of, may }: { id: number; of: Schema<"DataEntityFile">; may: boolean }) {
  const [isDeleting, setIsDeleting] = useState(false);
  const path = { data_entity_id: id, file_id: of.id };
  const refreshed = useRefreshAttachments();
  const remove = async () => {
    await send("delete", filePath, { path });
    await refreshed();
    toast(t("entity.isDeleted", { name: of.name }));
  };
  return (
    <li>
      <FileText aria-hidden />
      <a
        className={`truncate ${styles.grow}`}
        href={withPath(filePath, path).slice(1)}
        download={of.name}
        title={of.name}
      >
        {of.name} <Download aria-label={t("entity.download")} />
      </a>
      <span className="soft">{bytes(of.size)}</span>
      <span className="soft">
        <Time at={of.created_at} />
      </span>
      {may && (
        <IconButton
          small
          label={t("entity.delete3", { name: of.name })}
          onClick={() => setIsDeleting(true)}
        >
          <Trash2 />
        </IconButton>
      )}
      <Confirm
        open={isDeleting}
        onClose={() => setIsDeleting(false)}
        title={t("entity.delete2", { name: of.name })}
        action={t("kit.delete")}
        onConfirm={remove}
      >
        {t("entity.theFileIsPermanentlyDeleted")}
      </Confirm>
    </li>
  );
}

function Uploading({ of: { name, share, error, cancel, retry } }: { of: UploadState }) {
  return (
    <li>
      <Upload aria-hidden />
      <span className={`truncate ${styles.grow}`} title={name}>{name}</span>
      {error
        ? (
          <>
            <span role="alert" className={styles.failed}>{error}</span>
            <Button small onClick={retry}>{t("kit.tryAgain")}</Button>
          </>
        )
        : (
          <progress
            className={styles.progress}
            value={share}
            aria-label={t("entity.of", { round: Math.round(share * 100), name })}
          />
        )}
      <IconButton
        small
        label={error ? t("entity.dismiss", { name }) : t("entity.cancel", { name })}
        onClick={cancel}
      >
        <X />
      </IconButton>
    </li>
  );
}

interface UploadState {
  key: number;
  name: string;
  /** From 0 to 1. */
  share: number;
  error?: string;
  cancel: () => void;
  retry: () => void;
}

/** Files that are being uploaded to an entity, each by itself. `maxSize`: bytes that a file may have. */
function useUploads(id: number, maxSize: number | undefined) {
  const refreshed = useRefreshAttachments();
  const [uploads, setUploads] = useState<UploadState[]>([]);
  const next = useRef(0);
  const drop = (key: number) => setUploads((now) => now.filter((one) => one.key !== key));
  const change = (key: number, some: Partial<UploadState>) =>
    setUploads((now) => now.map((one) => one.key === key ? { ...one, ...some } : one));

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
    const error = maxSize !== undefined && file.size > maxSize
      ? t("entity.fileTooLarge", { size: bytes(file.size), max: bytes(maxSize) })
      : undefined;
    setUploads((now) => [...now, { key, name: file.name, share: 0, error, cancel, retry }]);
    if (error) return;
    const isTemporary = (cause: unknown) => cause instanceof ApiError && cause.temporary;
    const onProgress = (share: number) => change(key, { share });
    upload(file, callsOf(id, abort.signal), { signal: abort.signal, onProgress, isTemporary })
      .then(async () => {
        await refreshed();
        drop(key);
        toast(t("entity.isUploaded", { name: file.name }));
      })
      .catch((cause) => {
        if (abort.signal.aborted) return;
        change(key, { error: [...messagesByField(cause).values()].join("; ") });
      });
  };
  return { uploads, start };
}

function callsOf(id: number, signal: AbortSignal): UploadCalls {
  const of = { data_entity_id: id };
  return {
    begin: async (fileName) => {
      const made = await ask("post", "/api/dataentities/{data_entity_id}/files/uploads", {
        path: of,
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
        path: { ...of, upload_id },
        body: body as never,
        signal,
      });
    },
    complete: (upload_id) =>
      ask("put", "/api/dataentities/{data_entity_id}/files/uploads/{upload_id}", {
        path: { ...of, upload_id },
        signal,
      }),
    cancel: (upload_id) =>
      ask("delete", "/api/dataentities/{data_entity_id}/files/uploads/{upload_id}", {
        path: { ...of, upload_id },
      }),
  };
}
