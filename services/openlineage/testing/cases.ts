import type { Item } from "../mapper/item.ts";
import type { EventType, InputDataset, InputEvent } from "../state/model.ts";
import { mapAll, plainRules, stateOf } from "./memory.ts";

// Short words for events of the job `j` and for what they are mapped to.

export const uuid = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;

interface RunFixture extends Partial<InputEvent> {
  run_id?: number;
  name?: string;
  streaming?: boolean;
  facets?: Record<string, unknown>;
}

/** A run event of the job `j` at a time in seconds. */
export function runEvent(type: EventType, seconds: number, given: RunFixture = {}): InputEvent {
  const { run_id = 1, name = "j", streaming, facets = {}, ...rest } = given;
  const jobType = streaming ? { jobType: { processingType: "STREAMING" } } : {};
  return {
    kind: "run",
    at: seconds * 1_000,
    type,
    run: { runId: uuid(run_id), facets },
    job: { namespace: "n", name, facets: jobType },
    ...rest,
  };
}

export const t = (name: string, facets: Record<string, unknown> = {}): InputDataset => (
  { namespace: "n", name, facets }
);
export const table = (name: string) => `//ol/n/datasets/${name}`;
export const job = (name: string) => `//ol/n/jobs/${name}`;
export const columns = (...names: string[]) => ({
  schema: { fields: names.map((name) => ({ name })) },
});
export const symlink = (name: string, type: string) => (
  { symlinks: { identifiers: [{ namespace: "n", name, type }] } }
);

export function items(events: InputEvent[], now = 10 * 60): Map<string, Item> {
  return mapAll(stateOf([events]), { ...plainRules, now: now * 1_000 });
}

export function runOf(events: InputEvent[], now?: number) {
  return items(events, now).get(`${job("j")}/runs/${uuid(1)}`)?.data_transformer_run;
}

export function edges(events: InputEvent[], now?: number, of = "j") {
  const { inputs, outputs } = items(events, now).get(job(of))!.data_transformer!;
  const short = (catrn: string) => catrn.split("/").at(-1);
  return { inputs: inputs.map(short), outputs: outputs.map(short) };
}
