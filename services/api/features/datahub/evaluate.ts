import { parseLeniently } from "#contract/openlineage/json.ts";
import { AppError, badRequest } from "#kit/errors.ts";
import { own } from "#kit/own.ts";
import {
  deletionOf,
  type ReadProposals,
  readProposals,
  readSnapshot,
} from "#platform/datahub/read.ts";
import { objectOf, type RawObject, textOf } from "#platform/datahub/values.ts";
import { maxProposals } from "./bounds.ts";

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
  throw new AppError(`${name} must hold at most ${maxProposals} (were ${list.length})`, {
    status: 413,
    code: "USR001",
    resolvable: true,
  });
}
