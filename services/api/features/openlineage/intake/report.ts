import { refusalText } from "#contract/openlineage/accept.ts";
import { bounded } from "#kit/text.ts";
import type { Outcome } from "#platform/openlineage/intake.ts";
import type { BatchReport } from "./schemas.ts";

/** Characters of a reason that an answer gives. */
const maxReason = 500;

/** What became of the events of a body; null when all of them were accepted. */
export function reportOf({ accepted, refused }: Outcome): BatchReport | null {
  const failed = refused.length;
  if (failed === 0) return null;
  return {
    status: accepted === 0 ? "failure" : "partial_success",
    summary: {
      received: accepted + failed,
      successful: accepted,
      failed,
      // What can be repeated with success is refused as a whole, with 503.
      retriable: 0,
      non_retriable: failed,
    },
    failed_events: refused.map(({ index, refused }) => ({
      index,
      reason: bounded(refusalText(refused), maxReason),
      retriable: false,
    })),
  };
}
