import type { AirflowSettings } from "#contract/connections/airflow.ts";
import { type Finding, type Session, SourceError } from "../../connector.ts";
import { isIncluded } from "../../patterns.ts";
import { Asset } from "./answers.ts";
import type { AirflowApi } from "./api.ts";
import { assetItem, type AssetUse } from "./items.ts";
import { assetName, taskName } from "./names.ts";

/**
 * Reads the assets, and notes in `use` who uses them. One that a rule names is described by its own source, and only
 * lineage leads to it.
 */
export async function* assetFindings(
  session: Session<AirflowSettings>,
  api: AirflowApi,
  use: AssetUse,
): AsyncGenerator<Finding> {
  const published = new Set<string>();
  const list = api.isThree ? "assets" : "datasets";
  for await (const given of api.entries(list, list, { order_by: "id" })) {
    const parsed = Asset.safeParse(given);
    if (!parsed.success) {
      yield { kind: "problem", problem: unreadable(given) };
      continue;
    }
    const { catrn, isOwn } = assetName(session, parsed.data.uri);
    if (!noteUse(session.settings, use, catrn, parsed.data)) continue;
    if (!isOwn || published.has(catrn)) continue;
    published.add(catrn);
    yield { kind: "item", item: assetItem(catrn, parsed.data) };
  }
}

/** Whether a DAG that is read uses it. */
function noteUse(
  settings: AirflowSettings,
  { inputs, outputs }: AssetUse,
  catrn: string,
  asset: Asset,
): boolean {
  const note = (side: Map<string, Set<string>>, users: Asset["producing_tasks"]) => {
    const read = users.filter(({ dag_id }) => isIncluded(dag_id, settings));
    for (const { dag_id, task_id } of read) {
      const user = task_id === "" ? dag_id : taskName(dag_id, task_id);
      side.set(user, (side.get(user) ?? new Set()).add(catrn));
    }
    return read.length > 0;
  };
  const { consuming_dags, scheduled_dags, consuming_tasks, producing_tasks } = asset;
  const isRead = note(inputs, [...consuming_dags, ...scheduled_dags, ...consuming_tasks]);
  return note(outputs, producing_tasks) || isRead;
}

function unreadable(given: unknown) {
  const uri = typeof given === "object" && given !== null && "uri" in given ? given.uri : "";
  const object = `asset ${typeof uri === "string" ? uri.slice(0, 200) : ""}`.trim();
  return new SourceError(object, "its entry cannot be read", "See the log of Airflow").problem;
}
