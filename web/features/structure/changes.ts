import type { Schema } from "#web/api/client.ts";
import { words } from "#web/kit/numbers.ts";
import { type PlainKey, t } from "#web/messages/text.ts";

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
  return !after || !isSameType(before.type, after.type);
}

type FieldType = Schema<"DataSetFieldType">;

function isSameType(one: FieldType, other: FieldType): boolean {
  return one.type === other.type && one.is_nullable === other.is_nullable &&
    (one.logical_type ?? "") === (other.logical_type ?? "");
}

/** `Integer (bigint), not null`. */
export function typeText({ type, logical_type, is_nullable }: FieldType): string {
  const logical = logical_type ? ` (${logical_type})` : "";
  const name = typeName(type) + logical;
  return is_nullable ? name : t("structure.notNull", { type: name });
}

/** `TYPE_STRING` becomes `String`. */
export function typeName(type: string): string {
  return words(type.replace(/^TYPE_/, ""));
}

const flags = [
  ["is_primary_key", "structure.primaryKey"],
  ["is_key", "structure.keyOfAMap"],
  ["is_value", "structure.valueOfAMap"],
] as const satisfies [keyof State, PlainKey][];

function textsOf(before: State | undefined, after: State | undefined): string[] {
  if (!before || !after) return [];
  const texts: string[] = [];
  const put = (what: PlainKey, was: string, is: string) => texts.push(`${t(what)}: ${was} → ${is}`);
  if (before.name !== after.name) put("kit.name", before.name, after.name);
  if (!isSameType(before.type, after.type)) {
    put("kit.type", typeText(before.type), typeText(after.type));
  }
  const yes = (value: boolean) => value ? t("structure.yes") : t("structure.no");
  for (const [flag, what] of flags) {
    const [was, is] = [Boolean(before[flag]), Boolean(after[flag])];
    if (was !== is) put(what, yes(was), yes(is));
  }
  return texts;
}

/** How many changes there are, by what they do. */
export function countsOf(changes: FieldChange[]) {
  const those = (test: (change: FieldChange) => boolean) => changes.filter(test).length;
  const having = (status: FieldChange["status"]) => those((one) => one.status === status);
  const same = having("NO_CHANGES");
  const breaking = those((one) => one.breaking);
  return {
    breaking,
    safe: changes.length - same - breaking,
    created: having("CREATED"),
    deleted: having("DELETED"),
    updated: having("UPDATED"),
    same,
  };
}
