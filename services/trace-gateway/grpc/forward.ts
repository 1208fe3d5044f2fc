import { rpcCode } from "../receivers/refusal.ts";
import type { Answer } from "./answer.ts";
import { answerHeaders, clientAuthorization, type Orders } from "./protocol.ts";

/**
 * Hands a message, with the `authorization` of its call, to the intake in the gateway's own process; resolves with what
 * that says.
 */
export async function forward(
  message: Uint8Array<ArrayBuffer>,
  authorization: string | null,
  orders: Orders,
): Promise<Answer> {
  const { url, token } = orders.intake;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/x-protobuf",
        ...(authorization === null ? {} : { [clientAuthorization]: authorization }),
      },
      // Bytes the runtime would send a second time, unasked, when the connection breaks.
      body: new Blob([message]),
      signal: AbortSignal.timeout(orders.answerWithinMs),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const code = Number(response.headers.get(answerHeaders.code) ?? rpcCode.unavailable);
    if (code === rpcCode.ok) return { bytes };
    const message_ = decodeURIComponent(response.headers.get(answerHeaders.message) ?? "");
    const retryAfter = response.headers.get("retry-after");
    const retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter);
    return { refusal: { status: response.status, code, message: message_, retryAfterSeconds } };
  } catch {
    const message = "The trace gateway does not answer";
    return { refusal: { status: 503, code: rpcCode.unavailable, message, retryAfterSeconds: 1 } };
  }
}
