import { z } from "@hono/zod-openapi";
import { AppError } from "#kit/errors.ts";
import type { Rejection } from "#platform/datahub/model.ts";
import { maxNamed } from "./bounds.ts";

/** An error as the server of DataHub answers it. */
export const errorBody = {
  schema: z.object({ exceptionClass: z.string(), message: z.string(), status: z.number().int() })
    .openapi("DataHubError"),
  of: ({ status, message }: { status: number; message: string }) => (
    { exceptionClass: "com.linkedin.restli.server.RestLiServiceException", message, status }
  ),
};

/** 400 that names the rejected proposals; the others are stored. Each is named by its aspect and its urn. */
export function rejectedError(rejected: Rejection[], accepted: number): AppError {
  const named = rejected.slice(0, maxNamed).map(({ urn, aspect, reason }) =>
    `${aspect || "an aspect"} of ${urn || "an entity"}: ${reason}`
  );
  const more = rejected.length > maxNamed ? `; and ${rejected.length - maxNamed} more` : "";
  const others = accepted === 0 ? "" : ` The other ${accepted} were stored.`;
  const what = rejected.length === 1 ? "1 aspect was" : `${rejected.length} aspects were`;
  return new AppError(`${what} rejected: ${named.join("; ")}${more}.${others}`, {
    status: 400,
    code: "USR001",
    resolvable: true,
  });
}
