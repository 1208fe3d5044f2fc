import type { Logger } from "#kit/log.ts";
import { discardBody } from "#platform/http/discard.ts";
import type { SpanIntake } from "../intake/intake.ts";
import { answerBytes, statusBytes } from "../otlp/answers.ts";
import { RejectionLog } from "../receivers/rejection-log.ts";
import { takeExport } from "../receivers/exports.ts";
import { refusalOf, rpcCode } from "../receivers/refusal.ts";
import { type TokenCheck, tokenCheck } from "../receivers/token.ts";
import { answerHeaders, clientAuthorization } from "./protocol.ts";

export interface LoopbackHandlerOptions {
  intake: SpanIntake;
  log: Logger;
  /** A secret made at each start that only the gRPC process knows. */
  token: string;
  /** Checks the bearer token of the client's call. */
  checkToken: TokenCheck;
  maxBytes: number;
}

/**
 * Handles the requests of the gRPC process, which forwards each message over the loopback address. Never
 * rejects.
 */
export function loopbackHandler(options: LoopbackHandlerOptions) {
  const { intake, log, token, checkToken, maxBytes } = options;
  const rejections = new RejectionLog(log);
  const check = tokenCheck({ own: token });
  return async (request: Request): Promise<Response> => {
    try {
      await check(request.headers.get("authorization"));
      await checkToken(request.headers.get(clientAuthorization));
      // The share of each client is bounded by the gRPC process already.
      const how = { encoding: "protobuf", protocol: "grpc", maxBytes, client: "" } as const;
      const body = answerBytes(await takeExport(request, intake, how));
      return new Response(body, { headers: { [answerHeaders.code]: String(rpcCode.ok) } });
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.status >= 500) rejections.logRejection(error);
      await discardBody(request, maxBytes);
      const headers = new Headers({
        [answerHeaders.code]: String(refusal.code),
        [answerHeaders.message]: encodeURIComponent(refusal.message.toWellFormed()),
      });
      const { retryAfterSeconds } = refusal;
      if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
      return new Response(statusBytes(refusal), { status: refusal.status, headers });
    }
  };
}
