import type { RawObject } from "#platform/datahub/values.ts";
import type { ResolvedDataset } from "#platform/naming/datahub/resolve.ts";
import type { Urn } from "#platform/naming/datahub/urn.ts";

/** An entry of an aspect that is a list of what happened. */
export interface Entry {
  /** Milliseconds since the epoch. */
  time: number;
  value: RawObject;
}

/** Aspects of one entity by name, those that are not there left out. */
export type Aspects = ReadonlyMap<string, RawObject>;

/** What the item of an entity is made of. */
export interface EntityFacts {
  urn: string;
  parsed: Urn;
  aspects: Aspects;
  /** By aspect, the newest first. */
  entries: ReadonlyMap<string, Entry[]>;
  /** Of a dataset: what the catalogue knows it as. */
  dataset?: ResolvedDataset;
  /** Whether it is a model that shows as the table that it builds. */
  isPartOfTable: boolean;
  /** Of a dataset that a collector holds: whether that one reports its lineage too. */
  hasOwnLineage: boolean;
  /** CATRNs of its members, where it is a group. */
  members: string[];
  names: Names;
}

/** What is known of entities that others name. */
export interface Names {
  /** CATRN of an entity; undefined where it has none. */
  catrnOf(urn: string): string | undefined;
  /** Aspects of an entity that show on others. */
  aspectsOf(urn: string): Aspects;
}

/** Whether it was removed, so that nothing is posted of it. */
export function isRemoved(aspects: Aspects): boolean {
  return aspects.get("status")?.removed === true;
}
