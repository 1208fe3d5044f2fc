import { columnsOf } from "#metadata/postgres/statement.ts";
import { AppError, unavailable } from "#kit/errors.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { IntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";
import type { Database, Queryable, Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import type { Context } from "#platform/context.ts";
import { parseUrn } from "#platform/naming/datahub/urn.ts";
import { type AspectState, joined, noState, valueOf } from "./aspect-state.ts";
import { isMapped, mappedAspects, maxEntriesOf, timeseriesAspects } from "./aspects.ts";
import { ChangedAspects, followChanged } from "./follow.ts";
import {
  type Change,
  type Deletion,
  type Proposal,
  type ReadProposals,
  referencesOf,
  storable,
} from "./proposals.ts";
import * as sql from "./store.queries.ts";

/** Proposals that are stored in one transaction. */
export const maxTogether = 500;

/** Milliseconds for which it is known how much is stored and waits. */
const loadMs = 2_000;

/** Stores proposals within the bounds of the configuration. */
export class AspectStore {
  #load = { at: -Infinity, entities: 0, waiting: 0 };

  constructor(private readonly deps: Pick<Context, "config" | "db" | "clock">) {}

  /** Stores what was read; resolves once it is durable. Throws 400 when no more entities may be stored. */
  async store({ accepted, deletions }: ReadProposals): Promise<void> {
    const { db, clock, config } = this.deps;
    await this.#requireEntities([...new Set(accepted.map(({ urn }) => urn))]);
    const refreshBefore = clock.now() - config.datahub.refresh;
    await mergeProposals(db, { proposals: [], deletions, refreshBefore });
    for (let at = 0; at < accepted.length; at += maxTogether) {
      const proposals = accepted.slice(at, at + maxTogether);
      await mergeProposals(db, { proposals, deletions: [], refreshBefore });
    }
  }

  /** Throws 503 while too much waits to be published. */
  async requireCapacity(): Promise<void> {
    const { clock, db, config } = this.deps;
    const max = config.datahub["max-waiting"];
    if (clock.now() - this.#load.at >= loadMs) {
      const [row] = await db.query(sql.load, [max + 1]);
      this.#load = { at: clock.now(), ...row! };
    }
    if (this.#load.waiting <= max) return;
    throw unavailable(`More than ${max} changed entities wait to be published`, 10);
  }

  /** Throws 400 when no more entities may be stored, unless these all are. */
  async #requireEntities(urns: string[]): Promise<void> {
    const max = this.deps.config.datahub["max-entities"];
    if (this.#load.entities < max) return;
    const [row] = await this.deps.db.query(sql.newEntities, [urns]);
    if (row!.count === 0) return;
    throw new AppError(`At most ${max} entities are stored (datahub.max-entities)`, {
      status: 400,
      code: "USR003",
      resolvable: true,
    });
  }
}

/** Under which name rejected and unmapped aspects are listed. */
const warningNamespace = "datahub";

/** Counts aspects, and records what was rejected or is not mapped. */
export class AspectAccount {
  readonly #aspects;

  constructor(metrics: Metrics, private readonly intakeWarnings: IntakeWarnings) {
    this.#aspects = metrics.counter(
      "tributary_datahub_aspects_total",
      "Aspects that collectors of DataHub sent; those of unknown names as other",
      ["aspect", "outcome"],
    );
  }

  /** What is stored. */
  accepted({ accepted }: Pick<ReadProposals, "accepted">): void {
    const unmapped = new Map<string, number>();
    for (const { aspect } of accepted) {
      const hasMapping = isMapped(aspect);
      this.#aspects.inc({ aspect: labelOf(aspect), outcome: hasMapping ? "mapped" : "stored" });
      if (!hasMapping) unmapped.set(aspect, (unmapped.get(aspect) ?? 0) + 1);
    }
    for (const [name, count] of unmapped) {
      const reason = "the catalogue has nothing that this aspect becomes; it is stored and counted";
      this.#note({ name, kind: "not_mapped", reason }, count);
    }
  }

  rejected({ rejected }: Pick<ReadProposals, "rejected">): void {
    for (const { aspect, urn, reason } of rejected) {
      this.#aspects.inc({ aspect: labelOf(aspect), outcome: "rejected" });
      this.#note({ name: `${aspect} ${urn}`.trim(), kind: "refused", reason }, 1);
    }
  }

  /** A record of a topic that holds no proposal. */
  unreadable(topic: string, reason: string): void {
    this.#aspects.inc({ aspect: "other", outcome: "rejected" });
    this.#note({ name: topic, kind: "unreadable", reason }, 1);
  }

  #note(warning: { name: string; kind: string; reason: string }, count: number): void {
    this.intakeWarnings.note({ namespace: warningNamespace, ...warning }, count);
  }
}

function labelOf(aspect: string): string {
  return mappedAspects.has(aspect) || timeseriesAspects.has(aspect) ? aspect : "other";
}

/** What is merged at once. */
interface MergeRequest {
  proposals: readonly Proposal[];
  deletions: readonly Deletion[];
  /** What was last posted before, in milliseconds since the epoch, is posted again. */
  refreshBefore: number;
}

/** Merges what was reported into the stored aspects; a repetition changes nothing. Resolves when it is durable. */
export async function mergeProposals(db: Database, request: MergeRequest): Promise<void> {
  const { proposals, deletions } = request;
  if (proposals.length + deletions.length === 0) return;
  await retryingTransaction(db, async (tx) => {
    await lockEntities(tx, request);
    const changed = new ChangedAspects();
    if (deletions.length > 0) await deleteEntities(tx, deletions, changed);
    await mergeAspects(tx, proposals, changed);
    await mergeEntries(tx, proposals, changed);
    await followChanged(tx, changed);
  });
}

async function lockEntities(
  tx: Transaction,
  { proposals, deletions, refreshBefore }: MergeRequest,
): Promise<void> {
  const seen = new Map<string, { type: string; at: number }>();
  const known = [
    ...proposals.map(({ urn, entityType, at }) => ({ urn, type: entityType, at })),
    ...deletions.map(({ urn, at }) => ({ urn, type: parseUrn(urn)!.type, at })),
  ];
  for (const { urn, type, at } of known) {
    seen.set(urn, { type, at: Math.max(at, seen.get(urn)?.at ?? 0) });
  }
  await tx.query(sql.lockEntities, [
    [...seen.keys()],
    ...columnsOf([...seen.values()], "type", "at"),
    refreshBefore,
  ]);
}

type VersionedProposal = Proposal & { change: Exclude<Change, { kind: "entry" }> };

async function mergeAspects(
  tx: Transaction,
  proposals: readonly Proposal[],
  changed: ChangedAspects,
): Promise<void> {
  const given = proposals.filter((one): one is VersionedProposal => one.change.kind !== "entry");
  if (given.length === 0) return;
  const stored = await readStates(tx, given);
  const written = new Map<string, { urn: string; aspect: string; state: AspectState }>();
  const texts = new Map<string, string | undefined>();
  for (const { urn, aspect, change, at, references } of given) {
    const key = `${urn}\n${aspect}`;
    const before = written.get(key)?.state ?? stored.get(key) ?? noState;
    if (!texts.has(key)) texts.set(key, contentOf(before));
    const state = joined(before, change, at);
    if (state === before) continue;
    written.set(key, { urn, aspect, state });
    if (contentOf(state) === texts.get(key)) continue;
    const isWhole = state.steps.length === 0 && change.kind === "set";
    changed.add(urn, aspect, isWhole ? references : referencesOf(valueOf(state)));
  }
  await writeStates(tx, [...written.values()]);
}

/** What an item is made of: patches count by what comes of them. */
function contentOf(state: AspectState): string | undefined {
  if (state.steps.length === 0) return state.value ?? undefined;
  return JSON.stringify(valueOf(state));
}

async function readStates(
  tx: Queryable,
  given: readonly Proposal[],
): Promise<Map<string, AspectState>> {
  const rows = await tx.query(sql.aspectsNamed, columnsOf(given, "urn", "aspect"));
  return new Map(rows.map((row) => [`${row.urn}\n${row.aspect}`, stateOf(row)]));
}

/** The state of a stored aspect. */
export function stateOf({ at, value, steps }: sql.StoredAspect): AspectState {
  return { at, value, steps: steps === null ? [] : JSON.parse(steps) };
}

async function writeStates(
  tx: Transaction,
  rows: { urn: string; aspect: string; state: AspectState }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql.writeAspects, [
    ...columnsOf(rows, "urn", "aspect"),
    ...columnsOf(rows.map(({ state }) => state), "at", "value"),
    rows.map(({ state: { steps } }) => steps.length === 0 ? null : storable(steps)),
  ]);
}

async function mergeEntries(
  tx: Transaction,
  proposals: readonly Proposal[],
  changed: ChangedAspects,
): Promise<void> {
  const given = proposals.flatMap(({ urn, aspect, change }) =>
    change.kind === "entry" ? [{ ...change, urn, aspect, retained: maxEntriesOf(aspect) }] : []
  );
  if (given.length === 0) return;
  const entries = columnsOf(given, "urn", "aspect", "id", "time", "value");
  const added = await tx.query(sql.addEntries, entries);
  await tx.query(sql.trimEntries, columnsOf(given, "urn", "aspect", "retained"));
  for (const { urn } of added) changed.urns.add(urn);
}

async function deleteEntities(
  tx: Transaction,
  deletions: readonly Deletion[],
  changed: ChangedAspects,
): Promise<void> {
  const values = columnsOf(deletions, "urn", "at");
  await tx.query(sql.clearEntries, values);
  for (const { urn, aspect } of await tx.query(sql.clearAspects, values)) {
    changed.add(urn, aspect, []);
    changed.shown.add(urn);
  }
}
