import { parseLeniently } from "#contract/openlineage/json.ts";
import { badRequest, tooLarge } from "#kit/errors.ts";
import { own } from "#kit/own.ts";
import {
  deletionOf,
  type ReadProposals,
  readProposals,
  readSnapshot,
} from "#platform/datahub/proposals.ts";
import { objectOf, type RawObject, textOf } from "#platform/datahub/values.ts";

/** Largest body in bytes, after decompression; DataHub's clients divide what is larger than 15 MB. */
export const maxBodyBytes = 20 * 1_048_576;
/** Maximum number of proposals of one body; DataHub's clients send 200. */
export const maxProposals = 2_000;
/** Bodies up to this size in bytes are read on the event loop. */
export const inlineBytes = 64 * 1_024;
/** Maximum number of bodies that wait for the thread which reads larger ones. */
export const maxWaiting = 32;
/** Milliseconds that reading a body may take. */
export const deadlineMs = 60_000;
/** Bodies that are stored at a time and that wait, in all and of one caller, and milliseconds that one may wait. */
export const storeQueue = {
  concurrency: 4,
  concurrencyPerKey: 3,
  maxWaiting: 64,
  maxWaitingPerKey: 32,
  waitMs: 20_000,
};
/** Rejected proposals that an answer names. */
export const maxNamed = 20;
/** Entries of one answer to a question for what happened. */
export const maxEntries = 100;
/** Largest body of a question, in bytes. */
export const maxReadBytes = 256 * 1_024;

/** What is done with a body. */
export type IngestAction =
  | "ingestProposal"
  | "ingestProposalBatch"
  | "ingest"
  | "batchIngest"
  | "delete";

export interface EvaluationJob {
  action: IngestAction;
  /** Milliseconds since the epoch. */
  receivedAt: number;
}

/** Throws a 400 `AppError` for a body of another form, 413 for too many proposals. */
export function evaluateBody(bytes: Uint8Array, job: EvaluationJob): ReadProposals {
  const body = objectOf(parseLeniently(bytes));
  if (!body) throw badRequest("The body must be a JSON object");
  const { receivedAt } = job;
  if (job.action === "ingestProposal") {
    if (!objectOf(body.proposal)) throw badRequest("proposal is required");
    return readProposals([body.proposal], receivedAt);
  }
  if (job.action === "ingestProposalBatch") {
    return readProposals(listOf(body, "proposals"), receivedAt);
  }
  if (job.action === "delete") {
    const urn = textOf(body.urn);
    if (urn === undefined) throw badRequest("urn is required");
    return { accepted: [], deletions: [deletionOf(urn, receivedAt)], rejected: [] };
  }
  return snapshotsOf(body, job);
}

function snapshotsOf(body: RawObject, { action, receivedAt }: EvaluationJob): ReadProposals {
  const entities = action === "ingest" ? [body.entity] : listOf(body, "entities");
  const metadata = Array.isArray(body.systemMetadata) ? body.systemMetadata : undefined;
  const all = entities.map((entity, at) =>
    readSnapshot(entity, metadata ? metadata[at] : body.systemMetadata, receivedAt)
  );
  return {
    accepted: all.flatMap(({ accepted }) => accepted),
    deletions: [],
    rejected: all.flatMap(({ rejected }) => rejected),
  };
}

function listOf(body: RawObject, name: string): unknown[] {
  const list = own(body, name);
  if (!Array.isArray(list)) throw badRequest(`${name} must be a list`);
  if (list.length <= maxProposals) return list;
  throw tooLarge(`${name} must hold at most ${maxProposals} (were ${list.length})`);
}
