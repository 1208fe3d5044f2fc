import { AppError } from "#kit/errors.ts";

/** A fault of the client that the contract reports as a server error; never worth a retry. */
export function ingestionFault(
  message: string,
  details: { field: string; message: string }[] = [],
): AppError {
  return new AppError(message, { status: 500, code: "SYS001", retryable: false, details });
}
