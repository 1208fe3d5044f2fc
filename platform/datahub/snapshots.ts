import { AppError, badRequest, messageOf } from "#kit/errors.ts";
import { aspectOfClass } from "./aspects.ts";
import { observedAt, proposal, type ReadProposals, valueChange } from "./read.ts";
import { objectOf, objectsOf, textOf } from "./values.ts";

/**
 * Reads an entity as older clients post it: `{value: {<class of the snapshot>: {urn, aspects: [{<class>: {…}}]}}}`.
 * A wrong aspect costs itself only. Throws a 400 `AppError` for what is no snapshot.
 */
export function readSnapshot(
  entity: unknown,
  systemMetadata: unknown,
  receivedAt: number,
): ReadProposals {
  const [snapshot] = Object.values(objectOf(objectOf(entity)?.value) ?? {});
  const urn = textOf(objectOf(snapshot)?.urn);
  if (urn === undefined) throw badRequest("entity.value must hold a snapshot with its urn");
  const at = observedAt(systemMetadata, receivedAt);
  const read: ReadProposals = { accepted: [], deletions: [], rejected: [] };
  for (const given of objectsOf(objectOf(snapshot)!.aspects)) {
    const [entry] = Object.entries(given);
    const aspect = aspectOfClass(entry?.[0] ?? "");
    try {
      const value = objectOf(entry?.[1]);
      if (!value) throw badRequest("an aspect must be an object under the name of its class");
      const change = valueChange(aspect, value);
      read.accepted.push(proposal(urn, aspect, at, change, value));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      read.rejected.push({ urn, aspect, reason: messageOf(error) });
    }
  }
  return read;
}
