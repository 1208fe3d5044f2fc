import type { ResolvedName } from "#platform/naming/openlineage/model.ts";
import type { Aliases, AliasWarning } from "../state/aliases.ts";
import type { DatasetState } from "../state/model.ts";
import type { PublisherDeps } from "./deps.ts";

const aliasReasons: Record<AliasWarning["reason"], string> = {
  location_shared: "another table is at the same location by a newer event",
  too_many_names: "has more than 50 names; further ones stand for themselves",
};

interface NamingState {
  states: Map<string, DatasetState>;
  resolved: Map<string, ResolvedName>;
  aliases: Aliases;
  /** Keys of the datasets that are being composed. */
  taken: Set<string>;
}

/** Records warnings for names that could not be used as intended. */
export function complainOf(
  { intakeWarnings }: Pick<PublisherDeps, "intakeWarnings">,
  { states, resolved, aliases, taken }: NamingState,
): void {
  for (const { key, reason } of aliases.warnings) {
    const name = states.get(key)?.name;
    if (name && taken.has(key)) {
      intakeWarnings.note({ ...name, kind: "alias", reason: aliasReasons[reason] });
    }
  }
  for (const key of taken) {
    if (!resolved.get(key)?.warnings.includes("ambiguous")) continue;
    const reason = "several catalogued datasets may be meant; none of them was taken";
    intakeWarnings.note({ ...states.get(key)!.name, kind: "ambiguous", reason });
  }
}
