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
export function draftsOf(items: DataEntity[]): Drafts {
  return drafted(items.map((item) => ({
    catrn: item.catrn,
    hash: sha256(canonical(item)),
    item,
  })));
}

function drafted(
  drafts: EntityDraft[],
  isRunDraft: (draft: EntityDraft) => boolean = ({ item }) => isRun(item),
): Drafts {
  const entities: EntityDraft[] = [];
  const runs: RunDraft[] = [];
  for (const draft of drafts.sort((a, b) => (a.catrn < b.catrn ? -1 : 1))) {
    if (isRunDraft(draft)) runs.push({ ...draft, ...runOf(draft.item) });
    else entities.push(draft);
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

/** A valid item as a text, while it is not needed as an object. */
export interface ItemText {
  catrn: string;
  hash: string;
  run: boolean;
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
    const json = JSON.stringify(item);
    return { catrn: item.catrn, hash: sha256(text), run: isRun(item), json };
  } catch {
    return null;
  }
}

/** UTF-16 units of an item beyond which it is no longer worth while. */
const longestText = 1_000_000;

/** Properties of the items, sent before their texts; `runs` are indexes into them. */
interface Heads {
  catrns: string[];
  hashes: string[];
  runs: number[];
}

/** The texts of some items as one, each on a line of its own: JSON has no line feeds but those it is laid out with. */
export function joinTexts(items: ItemText[]): string {
  const heads: Heads = {
    catrns: items.map(({ catrn }) => catrn),
    hashes: items.map(({ hash }) => hash),
    runs: items.flatMap(({ run }, at) => run ? [at] : []),
  };
  return [JSON.stringify(heads), ...items.map(({ json }) => json)].join("\n");
}

/**
 * The drafts of items whose texts were joined; the same as `draftsOf` of the items. The text of an entity is parsed when
 * its item is first needed: those that are posted again unchanged never are.
 */
export function draftsFrom(text: string): Drafts {
  const [first, ...texts] = text.split("\n");
  const { catrns, hashes, runs } = JSON.parse(first!) as Heads;
  const drafts = texts.map((json, at) => withItemOf(json, catrns[at]!, hashes[at]!));
  const runDrafts = new Set(runs.map((at) => drafts[at]!));
  return drafted(drafts, (draft) => runDrafts.has(draft));
}

function withItemOf(json: string, catrn: string, hash: string): EntityDraft {
  let item: DataEntity | undefined;
  return {
    catrn,
    hash,
    get item() {
      return item ??= JSON.parse(json) as DataEntity;
    },
  };
}
