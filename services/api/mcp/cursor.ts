import { Buffer } from "node:buffer";
import { badRequest } from "#kit/errors.ts";
import { digestOf } from "#kit/secret.ts";

const form = /^([A-Za-z0-9_-]{12})\.(\d{1,9})$/;

/** Identity of a query: its tool and its arguments, without the cursor. */
function markOf(tool: string, given: object): string {
  const { cursor: _, limit: __, ...args } = given as { cursor?: unknown; limit?: unknown };
  return Buffer.from(digestOf(JSON.stringify([tool, args]))).toString("base64url").slice(0, 12);
}

/** A cursor to the items after the first `offset`; null when there are no more. */
export function cursorTo(tool: string, given: object, offset: number, total: number) {
  return offset < total ? `${markOf(tool, given)}.${offset}` : null;
}

/** The offset of a cursor. Throws 400 for a cursor of another query. */
export function offsetOf(tool: string, given: { cursor?: string }): number {
  if (given.cursor === undefined) return 0;
  const [, mark, offset] = form.exec(given.cursor) ?? [];
  if (mark === markOf(tool, given)) return Number(offset);
  const message = "is of another question: give the arguments that it came with, or leave it out";
  throw badRequest(`cursor ${message}`, [{ field: "cursor", message }]);
}
