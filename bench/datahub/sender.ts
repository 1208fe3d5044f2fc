import { postUntilTaken, sendAll } from "../support/senders.ts";
import type { Subject } from "../support/subject.ts";

/** A proposal as the REST sink posts it. */
export interface Proposal {
  entityUrn: string;
  entityType: string;
  changeType: string;
  aspectName: string;
  aspect: { value: string; contentType: string };
}

/** Proposals of a request, and concurrent requests, as of the client's mode ASYNC_BATCH. */
export const maxProposals = 200;
const senders = 15;

const path = "/integrations/datahub/aspects?action=ingestProposalBatch";

/** Posts proposals as a recipe does; resolves when all of them are stored. */
export async function send(subject: Subject, proposals: Proposal[]): Promise<void> {
  const bodies: string[] = [];
  for (let at = 0; at < proposals.length; at += maxProposals) {
    bodies.push(JSON.stringify({ proposals: proposals.slice(at, at + maxProposals) }));
  }
  await sendAll(bodies, senders, (body) => postUntilTaken(subject, path, body));
}
