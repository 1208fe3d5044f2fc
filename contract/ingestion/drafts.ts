import { Buffer } from "node:buffer";
import { deserialize, serialize } from "node:v8";
import { canonical, sha256 } from "#kit/canonical.ts";
import { type DataEntity, isRun } from "./schema.ts";

/** An entity as posted, with the hash of its content (SHA-256, hexadecimal). */
export interface EntityDraft {
  catrn: string;
  hash: string;
  item: DataEntity;
}

/** A run of a transformer or of a test, as posted. */
export interface RunDraft {
  catrn: string;
  hash: string;
  kind: "TRANSFORMER" | "TEST";
  taskCatrn: string;
  item: DataEntity;
  run: NonNullable<DataEntity["data_transformer_run"] | DataEntity["data_quality_test_run"]>;
}

/** Valid items, split into entities and runs, each in order of CATRN. */
export interface Drafts {
  entities: EntityDraft[];
  runs: RunDraft[];
}

/** Separates entities and runs, hashes the content of each, and sorts them by CATRN. */
export function draftsOf(valid: DataEntity[]): Drafts {
  const entities: EntityDraft[] = [];
  const runs: RunDraft[] = [];
  const items = [...valid].sort((a, b) => (a.catrn < b.catrn ? -1 : 1));
  for (const item of items) {
    const head = { catrn: item.catrn, hash: sha256(canonical(item)), item };
    if (isRun(item)) runs.push({ ...head, ...runOf(item) });
    else entities.push(head);
  }
  return { entities, runs };
}

function runOf(item: DataEntity): Pick<RunDraft, "kind" | "taskCatrn" | "run"> {
  if (item.data_transformer_run) {
    const run = item.data_transformer_run;
    return { kind: "TRANSFORMER", taskCatrn: run.transformer_catrn, run };
  }
  const run = item.data_quality_test_run!;
  return { kind: "TEST", taskCatrn: run.data_quality_test_catrn, run };
}

/** Drafts as bytes, which pass from thread to thread much sooner than a tree of objects. */
export function packed<D>(drafts: D): Uint8Array {
  return new Uint8Array(serialize(drafts));
}

export function unpacked<D>(bytes: Uint8Array): D {
  return deserialize(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) as D;
}
