import { maxDetails } from "#contract/bounded.ts";
import { AppError, type ErrorCode, type ErrorDetail } from "#kit/errors.ts";
import type { PartOutcome } from "./queries.ts";

/**
 * The answer of a batch of which some parts were refused: the status of the first, the details of
 * all. Consumers count items within a part; `parts` (indexes by part) leads back to the body.
 */
export function refusalOf(refused: PartOutcome[], parts: number[][]): AppError {
  const sorted = [...refused].sort((a, b) => a.part - b.part);
  const details = sorted.flatMap(({ part, detail }) =>
    (detail?.details ?? []).map((place) => inBody(place, parts[part] ?? []))
  );
  const first = sorted[0]?.detail;
  const status = statusOf(first?.status);
  const some = refused.length < parts.length
    ? `; ${parts.length - refused.length} of ${parts.length} parts of the batch were not refused`
    : "";
  return new AppError(`${first?.message ?? "The batch was refused"}${some}`, {
    status,
    code: codeOf(status),
    retryable: false,
    resolvable: status < 500,
    details: details.slice(0, maxDetails),
  });
}

function inBody({ field, message }: ErrorDetail, indexes: number[]): ErrorDetail {
  const renumbered = (text: string) =>
    text.replace(/\bitems\[(\d+)\]/g, (whole, index) => {
      const at = indexes[Number(index)];
      return at === undefined ? whole : `items[${at}]`;
    });
  return { field: renumbered(field), message: renumbered(message) };
}

function statusOf(status: number | undefined): number {
  return status !== undefined && status >= 400 && status <= 599 ? status : 400;
}

function codeOf(status: number): ErrorCode {
  if (status >= 500) return "SYS001";
  return status === 404 ? "USR002" : "USR001";
}
