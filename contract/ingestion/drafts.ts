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
  return drafted(valid.map((item) => ({
    catrn: item.catrn,
    hash: sha256(canonical(item)),
    item,
  })));
}

function drafted(heads: EntityDraft[]): Drafts {
  const entities: EntityDraft[] = [];
  const runs: RunDraft[] = [];
  for (const head of heads.sort((a, b) => (a.catrn < b.catrn ? -1 : 1))) {
    if (isRun(head.item)) runs.push({ ...head, ...runOf(head.item) });
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

/** A valid item as a text, for whoever does not need it as an object meanwhile. */
export interface ItemText {
  catrn: string;
  hash: string;
  json: string;
}

/**
 * An item as a text that `draftsFrom` reads: it holds less memory than a tree of objects, and is read sooner. Null where
 * JSON has no spelling for a value of it: integers beyond 2^53, and numbers beyond all bounds.
 */
export function textOf(item: DataEntity): ItemText | null {
  const text = canonical(item);
  if (text.includes("Infinity") || text.length > longestText) return null;
  try {
    return { catrn: item.catrn, hash: sha256(text), json: JSON.stringify(item) };
  } catch {
    return null;
  }
}

/** UTF-16 units of an item beyond which it is no longer worth while. */
const longestText = 1_000_000;

/** The texts of some items as one. */
export function joinTexts(items: ItemText[]): string {
  const hashes = items.map(({ hash }) => hash);
  return `{"hashes":${JSON.stringify(hashes)},"items":[${items.map(({ json }) => json).join()}]}`;
}

/** The drafts of items whose texts were joined; the same as `draftsOf` of the items. */
export function draftsFrom(text: string): Drafts {
  const { hashes, items } = JSON.parse(text) as { hashes: string[]; items: DataEntity[] };
  return drafted(items.map((item, at) => ({ catrn: item.catrn, hash: hashes[at]!, item })));
}
