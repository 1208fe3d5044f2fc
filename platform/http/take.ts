import { inspectJson, type JsonLimits } from "#contract/ingestion/inspect.ts";
import { translateKeys } from "#contract/ingestion/translate.ts";
import { AppError, badRequest, messageOf } from "#kit/errors.ts";
import type { Config } from "#platform/config/schema.ts";
import { BodyReader, missingBody } from "#platform/http/body.ts";
import type { Route } from "#platform/operations/declare.ts";

/** More than the largest form of ours needs: a group of 100,000 members. */
export const formLimits: JsonLimits = {
  containers: 120_000,
  members: 250_000,
  elements: 120_000,
};

const types = {
  json: { named: "application/json", is: /^application\/([\w.-]+\+)?json$/i },
  multipart: { named: "multipart/form-data", is: /^multipart\/form-data$/i },
};

/**
 * Refuses what comes without a body, or with one that is not said to be of the type: web pages can send
 * any other, or none, wherever they like.
 */
export function requireType({ body, headers }: Request, type: keyof typeof types): void {
  const given = headers.get("content-type");
  // Whatever a request lacks, the runtime hands out a stream; who announces nothing sends nothing.
  const announced = headers.get("content-length") ?? headers.get("transfer-encoding") ?? given;
  if (body === null || announced === null || announced === "0") throw missingBody();
  const { named, is } = types[type];
  if (is.test((given ?? "").split(";", 1)[0]!.trim())) return;
  throw new AppError(`Content-Type must be ${named}`, {
    status: 415,
    code: "USR001",
    resolvable: true,
  });
}

type Form = Pick<Route["spec"], "bodyType" | "maxBodyBytes">;

/**
 * Reads bodies of operations within their bounds, before anything parses them: bytes and time of
 * `server.max-body-size` (unless the operation has a limit of its own) and `server.body-timeout`, and all
 * bodies at once; of JSON also `formLimits` of whatever is in it. Keys may be spelled `oddrn`.
 */
export class FormReader {
  readonly #reader: BodyReader;

  constructor(server: Config["server"]) {
    this.#reader = new BodyReader({
      maxBytes: server["max-body-size"],
      timeoutMs: server["body-timeout"],
    });
  }

  /** Hands the body of a request to `use`, and counts it as held until that is done. */
  async read<T>(
    request: Request,
    { bodyType = "json", maxBodyBytes }: Form,
    use: (body: unknown) => Promise<T>,
  ): Promise<T> {
    return await this.#reader.read(request, async (body) => {
      return await use(bodyType === "json" ? jsonOf(body) : await fieldsOf(body, request.headers));
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

/** A name that is given once has its text or `File`, one that is given more often a list of them. */
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
