import type { Schema } from "#web/api/client.ts";
import { words } from "#web/kit/numbers.ts";
import { t } from "#web/messages/text.ts";

type State = Schema<"DataSetFieldDiffState">;

/** What became of a field from the older of two versions to the newer. */
export interface FieldChange {
  id: number;
  parent: number | null | undefined;
  name: string;
  status: Schema<"DataSetVersionDiffStatus">;
  /** Breaks consumers of the dataset; the rest are safe. */
  breaking: boolean;
  before: State | undefined;
  after: State | undefined;
  /** What changed, in words. */
  texts: string[];
}

/** Fields of both versions, in order. `older` and `newer` are ids of versions. */
export function changesOf(
  diff: Schema<"DataSetVersionDiffList">,
  older: number,
  newer: number,
): FieldChange[] {
  // A parent that was not touched has one id in each version.
  const known = new Map<number, number>();
  const both = diff.field_list.map(({ status, states }) => {
    const all = states as Record<string, State | undefined>;
    const [before, after] = [all[older], all[newer]];
    const id = (after ?? before)!.id;
    for (const state of [before, after]) {
      if (state) known.set(state.id, id);
    }
    return { status, before, after, id };
  });
  return both.map(({ status, before, after, id }) => {
    const { name, parent_field_id: above } = (after ?? before)!;
    return {
      id,
      parent: above == null ? above : known.get(above) ?? above,
      name,
      status,
      before,
      after,
      breaking: breaks(before, after),
      texts: textsOf(before, after),
    };
  });
}

/** As alerts about schemas judge: a field that is gone, or whose type is another, breaks; names and keys do not. */
function breaks(before: State | undefined, after: State | undefined): boolean {
  if (!before) return false;
  return !after || typeText(before.type) !== typeText(after.type);
}

/** `Integer (bigint), not null`. */
export function typeText({ type, logical_type, is_nullable }: Schema<"DataSetFieldType">): string {
  const logical = logical_type ? ` (${logical_type})` : "";
  return `${typeName(type)}${logical}${is_nullable ? "" : t("structure.notNull")}`;
}

/** `TYPE_STRING` becomes `String`. */
export function typeName(type: string): string {
  return words(type.replace(/^TYPE_/, ""));
}

function textsOf(before: State | undefined, after: State | undefined): string[] {
  if (!before || !after) return [];
  const texts: string[] = [];
  const put = (what: string, was: string, is: string) => {
    if (was !== is) texts.push(`${what}: ${was} → ${is}`);
  };
  const yes = (value: boolean | null | undefined) => value ? t("structure.yes") : t("structure.no");
  put(t("kit.name"), before.name, after.name);
  put(t("kit.type"), typeText(before.type), typeText(after.type));
  put(t("structure.primaryKey"), yes(before.is_primary_key), yes(after.is_primary_key));
  put(t("structure.keyOfAMap"), yes(before.is_key), yes(after.is_key));
  put(t("structure.valueOfAMap"), yes(before.is_value), yes(after.is_value));
  return texts;
}

export interface ChangeCounts {
  breaking: number;
  safe: number;
  created: number;
  deleted: number;
  updated: number;
  same: number;
}

export function countsOf(changes: FieldChange[]): ChangeCounts {
  const counts: ChangeCounts = {
    breaking: 0,
    safe: 0,
    created: 0,
    deleted: 0,
    updated: 0,
    same: 0,
  };
  const names = { CREATED: "created", DELETED: "deleted", UPDATED: "updated", NO_CHANGES: "same" };
  for (const { status, breaking } of changes) {
    counts[names[status] as keyof ChangeCounts]++;
    if (status !== "NO_CHANGES") counts[breaking ? "breaking" : "safe"]++;
  }
  return counts;
}
