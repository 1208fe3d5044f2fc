import { inspectJson, type JsonLimits } from "#contract/ingestion/inspect.ts";
import { translateKeys } from "#contract/ingestion/translate.ts";
import { badRequest, clientError, messageOf } from "#kit/errors.ts";
import type { Config } from "#platform/config/schema.ts";
import { BodyReader, missingBody } from "#platform/http/body.ts";
import type { Route } from "#platform/operations/declare.ts";

/** Sized for our largest form: a group of 100,000 members. */
export const formLimits: JsonLimits = {
  containers: 120_000,
  members: 250_000,
  elements: 120_000,
};

const types = {
  json: { named: "application/json", is: /^application\/([\w.-]+\+)?json$/i },
  form: { named: "application/x-www-form-urlencoded", is: /^application\/x-www-form-urlencoded$/i },
  csv: { named: "text/csv", is: /^text\/csv$/i },
  multipart: { named: "multipart/form-data", is: /^multipart\/form-data$/i },
  events: {
    named: "application/json or application/x-ndjson",
    is: /^(?:application\/(?:[\w.-]+\+)?(?:json|x-ndjson|ndjson|jsonl))?$/i,
  },
};

/**
 * Refuses a missing body, and one whose declared content type differs: web pages of any site can send other
 * types, or none, without a preflight.
 */
export function requireType({ body, headers }: Request, type: keyof typeof types): void {
  const given = headers.get("content-type");
  // The runtime always provides a body stream; a request without these headers has no body.
  const announced = headers.get("content-length") ?? headers.get("transfer-encoding") ?? given;
  if (body === null || announced === null || announced === "0") throw missingBody();
  const { named, is } = types[type];
  if (is.test((given ?? "").split(";", 1)[0]!.trim())) return;
  throw clientError(415, `Content-Type must be ${named}`);
}

type Form = Pick<Route["spec"], "bodyType" | "maxBodyBytes">;

/**
 * Reads bodies of operations within limits, before they are parsed: size by `server.max-body-size` (unless
 * the operation has its own limit), time by `server.body-timeout`, and the memory of all bodies together; for
 * JSON also `formLimits`. Accepts `oddrn` in keys.
 */
export class FormReader {
  readonly #reader: BodyReader;

  constructor(server: Config["server"]) {
    this.#reader = new BodyReader({
      maxBytes: server["max-body-size"],
      timeoutMs: server["body-timeout"],
    });
  }

  /** Passes the body of a request to `use`, and counts it as buffered until `use` has ended. */
  async read<T>(
    request: Request,
    { bodyType = "json", maxBodyBytes }: Form,
    use: (body: unknown, bytes: number) => Promise<T>,
  ): Promise<T> {
    return await this.#reader.read(request, async (body) => {
      const read = bodyType === "json" ? jsonOf(body) : await fieldsOf(body, request.headers);
      return await use(read, body.length);
    }, maxBodyBytes);
  }
}

const utf8 = new TextDecoder();

function jsonOf(body: Uint8Array): unknown {
  inspectJson(body, formLimits);
  const text = utf8.decode(translateKeys(body));
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("Malformed JSON in request body");
  }
}

/** A field that occurs once becomes its text or `File`, a repeated one a list of them. */
async function fieldsOf(body: Uint8Array, headers: Headers): Promise<Record<string, unknown>> {
  const type = headers.get("content-type") ?? "";
  const form = await new Response(body as BodyInit, { headers: { "content-type": type } })
    .formData()
    .catch((error) => {
      throw badRequest(`The multipart body cannot be read: ${messageOf(error)}`);
    });
  return Object.fromEntries([...new Set(form.keys())].map((name) => {
    const values = form.getAll(name);
    return [name, values.length === 1 ? values[0] : values];
  }));
}
