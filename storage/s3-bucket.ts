import { createHash } from "node:crypto";
import { AwsClient } from "aws4fetch";
import { messageOf } from "#kit/errors.ts";
import { fetchTrusting } from "#storage/runtime.ts";

/** How to reach a bucket. */
export interface S3Options {
  /** `http(s)://host[:port][/path]`, without the bucket. */
  url: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
  /** Prefix of every key in the bucket, such as `tributary/`. */
  prefix: string;
  /** PEM of a private certificate authority. */
  ca?: string;
  /** Milliseconds after which a request counts as failed; default 10 s. */
  timeoutMs?: number;
}

/** What to ask for again: the request was lost, or the server says that it cannot now. */
class TransientError extends Error {}

/** Attempts at one request, the first included. */
const attempts = 2;

/** Maximum number of bytes of an answer that says what is wrong. */
const maxErrorText = 4_096;

/** Objects in a bucket of a server that speaks S3, addressed by path, requests signed with version 4. */
export class S3Bucket {
  readonly #client: AwsClient;
  readonly #fetch: typeof fetch;

  constructor(private readonly options: S3Options) {
    this.#client = new AwsClient({
      accessKeyId: options.accessKey,
      secretAccessKey: options.secretKey,
      region: options.region,
      service: "s3",
      retries: 0,
    });
    this.#fetch = fetchTrusting(options.ca);
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#ask("PUT", key, async (answer) => {
      if (!answer.ok) throw await refusal(answer);
      await answer.body?.cancel();
    }, bytes);
  }

  async get(key: string): Promise<Uint8Array | null> {
    return await this.#ask("GET", key, async (answer) => {
      if (answer.ok) return new Uint8Array(await answer.arrayBuffer().catch(lost));
      const error = await refusal(answer);
      if (answer.status === 404 && /\bNoSuchKey\b/.test(error.message)) return null;
      throw error;
    });
  }

  async delete(key: string): Promise<void> {
    await this.#ask("DELETE", key, async (answer) => {
      if (answer.ok) return await answer.body?.cancel();
      const error = await refusal(answer);
      if (!/\bNoSuchKey\b/.test(error.message)) throw error;
    });
  }

  async #ask<T>(
    method: string,
    key: string,
    read: (answer: Response) => Promise<T>,
    body?: Uint8Array,
  ): Promise<T> {
    for (let attempt = 1;; attempt++) {
      try {
        return await read(await this.#send(method, key, body));
      } catch (error) {
        if (!(error instanceof TransientError) || attempt >= attempts) throw error;
      }
    }
  }

  async #send(method: string, key: string, body?: Uint8Array): Promise<Response> {
    const { url, bucket, prefix, timeoutMs = 10_000 } = this.options;
    const place = `${withoutSlash(url)}/${bucket}/${prefix}${requirePath(key)}`;
    // The digest is signed as well, so that the server refuses a body that was damaged on its way.
    const digest = createHash("sha256").update(body ?? "").digest("hex");
    const signed = await this.#client.sign(place, {
      method,
      body: body as never,
      headers: { "x-amz-content-sha256": digest },
    });
    const signal = AbortSignal.timeout(timeoutMs);
    // Not the signed request itself: its body would be sent as a stream, without a length.
    const init = { method, headers: signed.headers, body, signal, redirect: "manual" };
    return await this.#fetch(signed.url, init as RequestInit).catch(lost);
  }
}

const safe = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** Throws for a key with a part that could mean another place. */
function requirePath(key: string): string {
  if (key.length <= 500 && key.split("/").every((part) => safe.test(part))) return key;
  throw new Error(
    "The key of an object must be a path of letters, digits, dots, hyphens and underscores",
  );
}

/** An address without the slashes at its end. */
function withoutSlash(url: string): string {
  let end = url.length;
  while (url[end - 1] === "/") end--;
  return url.slice(0, end);
}

function lost(error: unknown): never {
  throw new TransientError(messageOf(error), { cause: error });
}

/** What the server says, by its code; its texts may hold what clients sent. */
async function refusal(answer: Response): Promise<Error> {
  const code = /<Code>(\w{1,60})<\/Code>/.exec(await beginningOf(answer))?.[1] ?? "";
  const said = `the server answers ${answer.status} ${code}`.trim();
  return answer.status >= 500 || answer.status === 429 ? new TransientError(said) : new Error(said);
}

async function beginningOf({ body }: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const part of body ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.length >= maxErrorText) break;
  }
  return text;
}
