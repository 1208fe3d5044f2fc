import { otlp, rpc } from "./generated/otlp.js";

/** A partial success; `refused` 0 means that everything was taken. */
interface PartialSuccess {
  refused: number;
  reason: string | null;
}

/** A refusal as google.rpc.Status carries it. */
interface StatusMessage {
  code: number;
  message: string;
  retryAfterSeconds?: number;
}

/** ExportTraceServiceResponse in protobuf. */
export function answerBytes({ refused, reason }: PartialSuccess): Uint8Array<ArrayBuffer> {
  if (refused === 0) return new Uint8Array();
  const partialSuccess = { rejectedSpans: refused, errorMessage: reason ?? "" };
  return plain(otlp.ExportTraceServiceResponse.encode({ partialSuccess }).finish());
}

/** ExportTraceServiceResponse in JSON, where 64-bit integers are texts. */
export function answerJson({ refused, reason }: PartialSuccess): string {
  if (refused === 0) return "{}";
  const partialSuccess = { rejectedSpans: String(refused), errorMessage: reason ?? "" };
  return JSON.stringify({ partialSuccess });
}

const retryInfoType = "type.googleapis.com/google.rpc.RetryInfo";

/** google.rpc.Status in protobuf, with RetryInfo when the same request may succeed later. */
export function statusBytes({ code, message, retryAfterSeconds }: StatusMessage) {
  const details: rpc.Any.$Properties[] = retryAfterSeconds === undefined ? [] : [{
    typeUrl: retryInfoType,
    value: rpc.RetryInfo.encode({ retryDelay: { seconds: retryAfterSeconds } }).finish(),
  }];
  return plain(rpc.Status.encode({ code, message, details }).finish());
}

/** google.rpc.Status in JSON. */
export function statusJson({ code, message, retryAfterSeconds }: StatusMessage): string {
  if (retryAfterSeconds === undefined) return JSON.stringify({ code, message });
  const details = [{ "@type": retryInfoType, retryDelay: `${retryAfterSeconds}s` }];
  return JSON.stringify({ code, message, details });
}

/** The writer's buffer may be a view of a pool. */
function plain(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
