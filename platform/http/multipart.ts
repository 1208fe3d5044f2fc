import type { Readable } from "node:stream";
import type { BusboyHeaders, BusboyInstance } from "@fastify/busboy";
import { AppError, badRequest, invalidField, messageOf, tooLarge } from "#kit/errors.ts";
import { withTimeout } from "#kit/retry.ts";
import { streamedBody } from "#platform/http/body.ts";

/** Bytes that boundaries, headers of parts and text fields may take together. */
export const maxEnvelope = 16 * 1_024;
/** Longest text field, bytes. */
const maxField = 1_024;
/** Maximum number of headers of one part. */
const maxHeaders = 16;

interface MultipartForm<T> {
  /** The stored file; undefined when the body has none. */
  file: T | undefined;
  /** The text fields; a body with two of one name is refused. */
  fields: Map<string, string>;
}

export interface MultipartOptions {
  /** Name of the one part that is a file, whatever its headers say. */
  file: string;
  /** Names of the optional text fields. */
  fields: string[];
  /** Maximum number of bytes of the file. */
  maxBytes: number;
  /** Milliseconds in which the body must have come and been taken. */
  timeoutMs: number;
}

/**
 * Reads a multipart body as it comes, and passes the file to `use` piece by piece, no faster than that takes it. What
 * `use` has done with a file that was cut off, or that is too large, is the caller's to undo: then this rejects.
 * Throws 400 for a body that is malformed or holds other parts, and whatever
 * `streamedBody` does; 413 names the file.
 */
export async function readMultipart<T>(
  request: Request,
  options: MultipartOptions,
  use: (file: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<MultipartForm<T>> {
  const form = new Form(await parserOf(request, options), options, use);
  try {
    await feed(request, options, form);
    // A parser that never says that it is done must not hold the request.
    return await withTimeout(form.whole(), options.timeoutMs, tooSlow);
  } catch (error) {
    // `use` must have ended before its work is undone.
    await form.cutOff(error);
    throw error;
  }
}

/** The parts of one body, while they come. */
class Form<T> {
  readonly #fields = new Map<string, string>();
  readonly #ended: Promise<void>;
  #stream: Readable | undefined;
  #taken: Promise<T> | undefined;
  readonly #refused = Promise.withResolvers<void>();
  #refusal: unknown;

  constructor(
    readonly parser: BusboyInstance,
    private readonly options: MultipartOptions,
    private readonly use: (file: AsyncIterable<Uint8Array>) => Promise<T>,
  ) {
    this.#ended = new Promise((ended, failed) => parser.once("finish", ended).on("error", failed));
    this.#ended.catch((error) => this.refuse(malformed(error)));
    parser.on("file", (name, stream) => this.#file(name, stream));
    parser.on("field", (name, value, cutName, cutValue) => {
      this.#field(name, value, cutName, cutValue);
    });
    for (const limit of ["filesLimit", "fieldsLimit", "partsLimit"] as const) {
      parser.on(limit, () => this.refuse(badRequest("The body has more parts than are taken")));
    }
  }

  /** Why no more needs to be read. */
  get refusal(): unknown {
    return this.#refusal;
  }

  refuse(reason: unknown): void {
    this.#refusal ??= reason;
    this.#refused.resolve();
  }

  /** Resolves when the parser has taken this, or when there is a reason to give it no more. */
  async take(chunk: Uint8Array): Promise<void> {
    const taken = new Promise<void>((done) => this.parser.write(chunk, () => done()));
    await Promise.race([taken, this.#refused.promise]);
  }

  async whole(): Promise<MultipartForm<T>> {
    await Promise.race([this.#ended.catch(() => {}), this.#refused.promise]);
    if (this.refusal) throw this.refusal;
    const file = await this.#taken;
    return { file, fields: this.#fields };
  }

  /** Ends the file before its end; resolves once nothing works on it any more. */
  async cutOff(reason: unknown): Promise<void> {
    this.#stream?.destroy(reason instanceof Error ? reason : new Error(messageOf(reason)));
    await this.#taken?.catch(() => {});
  }

  #file(name: string | undefined, stream: Readable): void {
    stream.on("error", () => {});
    if (name !== this.options.file) {
      this.refuse(unknownPart(name));
      stream.resume();
      return;
    }
    this.#stream = stream;
    this.#taken = this.use(limited(stream, this.options));
    this.#taken.catch((error) => this.refuse(error));
  }

  #field(name: string | undefined, value: string, cutName: boolean, cutValue: boolean): void {
    if (name === undefined || cutName || !this.options.fields.includes(name)) {
      return this.refuse(unknownPart(name));
    }
    if (cutValue) return this.refuse(invalidField(name, `must be at most ${maxField} bytes`));
    if (this.#fields.has(name)) return this.refuse(invalidField(name, "must be given once"));
    this.#fields.set(name, value);
  }
}

/** Hands a body to the parser, no faster than it is taken; ends early when there is a reason to refuse it. */
async function feed(
  request: Request,
  { maxBytes, timeoutMs }: MultipartOptions,
  form: Form<unknown>,
): Promise<void> {
  try {
    const max = maxBytes + maxEnvelope;
    for await (const chunk of streamedBody(request, { maxBytes: max, timeoutMs })) {
      await form.take(chunk);
      if (form.refusal) throw form.refusal;
    }
  } catch (error) {
    throw error instanceof AppError && error.status === 413 ? fileTooLarge(maxBytes) : error;
  }
  form.parser.end();
}

const tooSlow = () =>
  new AppError("The parts of the body were not taken in time", { status: 408, code: "USR001" });

async function* limited(
  stream: Readable,
  { maxBytes }: MultipartOptions,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const bytes of stream as AsyncIterable<Uint8Array>) {
    size += bytes.length;
    if (size > maxBytes) throw fileTooLarge(maxBytes);
    yield bytes;
  }
}

async function parserOf(
  request: Request,
  { file, fields, maxBytes }: MultipartOptions,
): Promise<BusboyInstance> {
  const { Busboy } = await import("@fastify/busboy");
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      isPartAFile: (name) => name === file,
      limits: {
        files: 1,
        // One more than there may be, so that what is too much is seen and named.
        fields: fields.length + 1,
        parts: fields.length + 2,
        fieldSize: maxField,
        fieldNameSize: 100,
        fileSize: maxBytes + 1,
        headerPairs: maxHeaders,
        headerSize: maxEnvelope,
      },
    });
  } catch (error) {
    throw malformed(error);
  }
}

function fileTooLarge(maxBytes: number): AppError {
  const message = `must be at most ${maxBytes} bytes`;
  return tooLarge(`The file ${message}`, [{ field: "file", message }]);
}

function unknownPart(name: string | undefined): AppError {
  const field = (name ?? "").slice(0, 100) || "body";
  return invalidField(field, "is no part of this form");
}

function malformed(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return badRequest(`The multipart body cannot be read: ${messageOf(error)}`);
}
