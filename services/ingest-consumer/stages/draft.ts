import { type DataEntity, isRun } from "#contract/ingestion/schema.ts";
import { canonical, sha256 } from "#kit/canonical.ts";
import type { DraftedPart, EntityDraft, RunDraft, ValidPart } from "../part.ts";

/** Stage 4: separates entities and runs, hashes the content of each, and sorts them by CATRN. */
export function draft(part: ValidPart): DraftedPart {
  const entities: EntityDraft[] = [];
  const runs: RunDraft[] = [];
  const items = [...part.items].sort((a, b) => (a.catrn < b.catrn ? -1 : 1));
  for (const item of items) {
    const head = { catrn: item.catrn, hash: sha256(canonical(item)), item };
    if (isRun(item)) runs.push({ ...head, ...runOf(item) });
    else entities.push(head);
  }
  return { identity: part.identity, sourceCatrn: part.sourceCatrn, entities, runs };
}

function runOf(item: DataEntity): Pick<RunDraft, "kind" | "taskCatrn" | "run"> {
  if (item.data_transformer_run) {
    const run = item.data_transformer_run;
    return { kind: "TRANSFORMER", taskCatrn: run.transformer_catrn, run };
  }
  const run = item.data_quality_test_run!;
  return { kind: "TEST", taskCatrn: run.data_quality_test_catrn, run };
}
