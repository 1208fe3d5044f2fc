/** One step of a patch, as DataHub's clients write it, its path divided. */
export interface PatchStep {
  op: "add" | "remove";
  path: string[];
  /** Names of the members by which elements of an array are found, where the patch gives them. */
  keys?: string[];
  value?: unknown;
}

/** What a proposal does to an aspect. */
export type Change =
  /** JSON text of the whole aspect; with `create` only where there is none. */
  | { kind: "set"; value: string; create: boolean }
  | { kind: "patch"; steps: PatchStep[] }
  | { kind: "delete" }
  /** One entry of an aspect that is a list of what happened. */
  | { kind: "entry"; id: string; time: number; value: string };

/** A change of one aspect of one entity, as it was accepted. */
export interface Proposal {
  urn: string;
  entityType: string;
  aspect: string;
  /** When its source observed it, in milliseconds since the epoch. */
  at: number;
  change: Change;
  /** Urns of what it names. */
  references: string[];
}

/** A proposal that was rejected. */
export interface Rejection {
  urn: string;
  aspect: string;
  reason: string;
}

/** The deletion of an entity with all of its aspects. */
export interface Deletion {
  urn: string;
  at: number;
}
