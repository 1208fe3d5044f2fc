import { columnsOf } from "#metadata/postgres/statement.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { parseUrn } from "#platform/naming/datahub/urn.ts";
import { isModel, mappedAspects, modelAspects, modelPrefix, shownElsewhere } from "./aspects.ts";
import * as sql from "./store.queries.ts";

/** What a merge changed. */
export class ChangedAspects {
  readonly urns = new Set<string>();
  /** Entities whose naming or membership changed, which shows on those that name them. */
  readonly shown = new Set<string>();
  readonly references = new Map<string, NamingAspect>();

  add(urn: string, aspect: string, named: string[]): void {
    this.urns.add(urn);
    if (shownElsewhere.has(aspect)) this.shown.add(urn);
    this.references.set(`${urn}\n${aspect}`, { urn, aspect, named });
  }
}

/** An aspect of an entity, and what it names. */
interface NamingAspect {
  urn: string;
  aspect: string;
  named: string[];
}

type Reference = Omit<NamingAspect, "named"> & { named: string };

/**
 * Has mapped again what changed, and the groups that it joins or leaves; what names it follows, see `addFollowed`.
 * Replaces what the changed aspects name.
 */
export async function followChanged(tx: Transaction, changed: ChangedAspects): Promise<void> {
  const rows = [...changed.references.values()].filter(({ aspect }) => mappedAspects.has(aspect));
  const inUrns = [...changed.urns].flatMap(groupsInUrn);
  const dirty = new Set([...changed.urns, ...inUrns.map(({ named }) => named)]);
  await addReferences(tx, inUrns);
  for (const urn of await counterparts(tx, changed.urns)) dirty.add(urn);
  if (rows.length > 0) { for (const urn of await renamed(tx, rows)) dirty.add(urn); }
  const models = [...changed.urns].filter(isModel);
  const shown = [...new Set([...changed.shown, ...models])];
  if (dirty.size > 0) await tx.query(sql.dirtyEntities, [[...dirty]]);
  if (shown.length > 0) await tx.query(sql.addFollowed, [shown]);
}

/** Replaces what these aspects name; what is mapped again for it, by what they named and name now. */
async function renamed(tx: Transaction, rows: NamingAspect[]): Promise<string[]> {
  const isFollowed = (aspect: string, urn: string) =>
    shownElsewhere.has(aspect) || (modelAspects.includes(aspect) && isModel(urn));
  const known = rows.filter(({ aspect }) =>
    shownElsewhere.has(aspect) || modelAspects.includes(aspect)
  );
  const before = known.length === 0
    ? []
    : await tx.query(sql.namedBy, columnsOf(known, "urn", "aspect"));
  const made = rows.flatMap(({ urn, aspect, named }) =>
    named.map((one) => ({ urn, aspect, named: one }))
  );
  await tx.query(sql.dropReferences, columnsOf(rows, "urn", "aspect"));
  await addReferences(tx, made);
  return [...before, ...made].filter(({ aspect, named }) => isFollowed(aspect, named))
    .map(({ named }) => named);
}

/** The models of changed tables, and the tables that are siblings of changed models: each shows on the other. */
async function counterparts(tx: Transaction, urns: ReadonlySet<string>): Promise<string[]> {
  const datasets = [...urns].filter((urn) => urn.startsWith("urn:li:dataset:"));
  if (datasets.length === 0) return [];
  return (await tx.query(sql.counterparts, [datasets, modelPrefix])).map(({ named }) => named);
}

async function addReferences(tx: Transaction, made: Reference[]): Promise<void> {
  if (made.length === 0) return;
  await tx.query(sql.addReferences, columnsOf(made, "urn", "aspect", "named"));
  const datasets = [...new Set(made.map(({ named }) => named))].filter((one) =>
    one.startsWith("urn:li:dataset:")
  );
  if (datasets.length > 0) {
    await tx.query(sql.addNames, [datasets, datasets.map(() => "dataset")]);
  }
}

/** The aspect that the urn of a job stands for, as far as it names its flow. */
export const jobKeyAspect = "dataJobKey";

/** The flow of a job, which its urn names. */
function groupsInUrn(urn: string): Reference[] {
  const parsed = parseUrn(urn);
  const isJob = parsed?.type === "dataJob" && parsed.parts.length === 2;
  return isJob ? [{ urn, aspect: jobKeyAspect, named: parsed.parts[0]! }] : [];
}
