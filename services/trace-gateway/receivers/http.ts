import type { Logger } from "#kit/log.ts";
import { discardBody } from "#platform/http/body.ts";
import type { Gate } from "#platform/http/origins.ts";
import type { IntakeResult, OtlpEncoding, SpanIntake } from "../intake/intake.ts";
import {
  answerBytes,
  answerJson,
  type Refusal,
  refusalOf,
  RejectionLog,
  RequestRejectedError,
  rpcCode,
  statusBytes,
  statusJson,
} from "./answers.ts";
import { takeExport } from "./exports.ts";
import type { TokenCheck } from "./token.ts";

interface HttpReceiverOptions {
  intake: SpanIntake;
  log: Logger;
  /** Keeps out what web pages of other sites send. */
  gate: Gate;
  checkToken: TokenCheck;
  /** Largest request, after decompression. */
  maxBytes: number;
}

const contentTypes: Record<OtlpEncoding, string> = {
  protobuf: "application/x-protobuf",
  json: "application/json",
};

/** OTLP over HTTP, as a handler of requests of a `client`: `POST /v1/traces`. Never rejects. */
export function httpReceiver(options: HttpReceiverOptions) {
  const { intake, log, gate, maxBytes, checkToken } = options;
  const rejections = new RejectionLog(log);
  return async (request: Request, client = ""): Promise<Response> => {
    // An answer in an encoding that the exporter did not use would not be read by it.
    const encoding = encodingOf(request.headers.get("content-type"));
    try {
      gate(request);
      checkPath(new URL(request.url).pathname, request.method);
      await checkToken(request.headers.get("authorization"));
      if (encoding === null) throw unknownType();
      const protocol = `http/${encoding}` as const;
      const how = { encoding, protocol, maxBytes, client };
      return success(await takeExport(request, intake, how), encoding);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.status >= 500) rejections.logRejection(error);
      await discardBody(request, maxBytes);
      return failure(refusal, encoding ?? "json");
    }
  };
}

function encodingOf(contentType: string | null): OtlpEncoding | null {
  const type = (contentType ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (type === contentTypes.protobuf) return "protobuf";
  return type === contentTypes.json ? "json" : null;
}

function unknownType(): RequestRejectedError {
  const known = `${contentTypes.protobuf} or ${contentTypes.json}`;
  return new RequestRejectedError(415, rpcCode.invalidArgument, `Content-Type must be ${known}`);
}

function checkPath(path: string, method: string): void {
  if (path === "/v1/traces") {
    if (method === "POST") return;
    throw new RequestRejectedError(405, rpcCode.unimplemented, "Only POST is known here");
  }
  const signal = /^\/v1\/(metrics|logs)$/.exec(path)?.[1];
  const message = signal
    ? `This gateway takes traces, no ${signal}: switch that exporter off, or point it elsewhere`
    : "Traces go to /v1/traces";
  throw new RequestRejectedError(404, rpcCode.unimplemented, message);
}

function success(taken: IntakeResult, encoding: OtlpEncoding): Response {
  const body = encoding === "protobuf" ? answerBytes(taken) : answerJson(taken);
  return new Response(body, { headers: { "content-type": contentTypes[encoding] } });
}

function failure(refusal: Refusal, encoding: OtlpEncoding): Response {
  const headers = new Headers({ "content-type": contentTypes[encoding] });
  if (refusal.retryAfterSeconds !== undefined) {
    headers.set("retry-after", String(refusal.retryAfterSeconds));
  }
  if (refusal.status === 401) headers.set("www-authenticate", "Bearer");
  if (refusal.status === 405) headers.set("allow", "POST");
  const body = encoding === "protobuf" ? statusBytes(refusal) : statusJson(refusal);
  return new Response(body, { status: refusal.status, headers });
}
