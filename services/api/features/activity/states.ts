import type { Activity } from "#contract/catalogue/activity.ts";
import type { EntityClass, EntityType } from "#contract/entities.ts";
import type { ActivityState } from "#metadata/catalogue/activity.ts";
import type { StoredActivity } from "#services/api/features/activity/queries.ts";
import { classDictionary } from "#services/api/features/dataentities/service.ts";

const classes = new Map(classDictionary.entity_classes.map((entry) => [entry.name, entry]));
const types = new Map(classDictionary.types.map((entry) => [entry.name, entry]));

/** The event as answered: adds ids to the class and type names in its states. */
export function answered(event: StoredActivity): Activity {
  const { old_state: before, new_state: after } = event;
  return { ...event, old_state: expanded(before), new_state: expanded(after) } as Activity;
}

function expanded(state: Partial<ActivityState>): unknown {
  const { data_entity: entity, custom_group: group } = state;
  return {
    ...state,
    ...(entity ? { data_entity: withIds(entity) } : {}),
    ...(group
      ? {
        custom_group: {
          ...withIds(group),
          entities: group.entities.map(withClasses),
          entities_total: group.entities_total ?? null,
        },
      }
      : {}),
  };
}

/** Leaves out names that this release does not know. */
function withClasses<T extends { entity_classes: EntityClass[] }>(named: T) {
  return {
    ...named,
    entity_classes: named.entity_classes.flatMap((name) => classes.get(name) ?? []),
  };
}

function withIds<T extends { entity_classes: EntityClass[]; type: EntityType | null }>(named: T) {
  return { ...withClasses(named), type: named.type ? types.get(named.type) ?? null : null };
}
