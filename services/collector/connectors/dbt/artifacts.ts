import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { type DbtSettings, isRemote } from "#contract/connections/dbt.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import { realPathWithin, type Session } from "../../connector.ts";
import { SourceHttp, StatusError } from "../../http.ts";

/** Most bytes of one artifact. */
export const maxArtifact = 1024 * 1024 * 1024;

/** Files that dbt writes into its folder `target`. */
type ArtifactName = "manifest.json" | "catalog.json" | "run_results.json" | "sources.json";

/** A member of a member of a document: of `{"nodes": {"a": 1}}` section `nodes`, key `a`, value 1; of a list the key is the index. */
export interface JsonEntry {
  section: string;
  key: string;
  value: unknown;
}

/** Reads the artifacts of a project, piece by piece. */
export interface Artifacts {
  /** The entries of some sections; none of an artifact that is not there. Throws a `SourceError`. */
  entries(name: ArtifactName, sections: readonly string[]): AsyncGenerator<JsonEntry>;
  close(): Promise<void>;
}

/** The artifacts of a connection, from a folder or over HTTP. */
export function artifactsOf(session: Session<DbtSettings>): Artifacts {
  const source = isRemote(session.settings) ? remote(session) : local(session);
  return {
    close: () => source.close(),
    async *entries(name, sections) {
      try {
        yield* jsonEntries(name, source.text(name), sections);
      } catch (error) {
        session.signal.throwIfAborted();
        if (isMissing(error) && name !== "manifest.json") return;
        throw error;
      }
    },
  };
}

interface TextSource {
  text(name: ArtifactName): AsyncIterable<string>;
  close(): Promise<void>;
}

class MissingFile extends SourceError {}

const isMissing = (error: unknown) =>
  error instanceof MissingFile || error instanceof StatusError && error.status === 404;

function remote(session: Session<DbtSettings>): TextSource {
  const token = session.secrets.get("token");
  const authorization = token ? `Bearer ${token}` : undefined;
  const http = new SourceHttp(session, { base: session.settings.location, authorization });
  return { text: (name) => http.text(name, { max: maxArtifact }), close: () => http.close() };
}

function local({ settings, folders, signal }: Session<DbtSettings>): TextSource {
  return {
    close: () => Promise.resolve(),
    async *text(name) {
      signal.throwIfAborted();
      const path = await allowedPath(join(settings.location, name), folders);
      yield* createReadStream(path, { encoding: "utf8", signal });
    },
  };
}

/** The real path of an artifact in a folder that an operator allows. */
async function allowedPath(path: string, folders: readonly string[]): Promise<string> {
  const name = path.slice(path.lastIndexOf(sep) + 1);
  const real = await realPathWithin(path, folders, name);
  if (real === null) {
    const remedy = "Run dbt, and check the folder and its permissions";
    throw new MissingFile(name, "there is no such file that can be read", remedy);
  }
  if ((await stat(real)).size > maxArtifact) {
    throw new SourceError(name, `it is larger than ${maxArtifact} bytes`, "Split the project");
  }
  return real;
}

/** Longest entry, in characters. */
export const maxEntry = 32 * 1024 * 1024;

/**
 * The entries of some sections of a large document of JSON, one at a time as its text arrives: the document is never in memory
 * whole, and sections that are not wanted are not parsed. Throws a `SourceError` that names `object` for what is not such JSON.
 */
export async function* jsonEntries(
  object: string,
  chunks: AsyncIterable<string>,
  sections: readonly string[],
): AsyncGenerator<JsonEntry> {
  const splitter = new EntrySplitter(new Set(sections));
  try {
    for await (const chunk of chunks) yield* splitter.push(chunk);
    splitter.end();
  } catch (error) {
    if (!(error instanceof MalformedJson || error instanceof SyntaxError)) throw error;
    const remedy = "Write the file again, and wait until it is complete";
    throw new SourceError(object, "it is not a complete JSON document", remedy);
  }
}

class MalformedJson extends Error {}

const [quote, backslash, comma] = [34, 92, 44];
const opening = new Set([91, 123]);
const closing = new Set([93, 125]);
/** All that changes the state outside of a text. */
const marks = /["[\]{},]/g;
/** All that changes the state within a text. */
const inText = /["\\]/g;

class EntrySplitter {
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #section = "";
  #isList = false;
  #index = 0;
  /** Text since the last boundary, where it is wanted. */
  #pending = "";

  constructor(private readonly sections: ReadonlySet<string>) {}

  *push(chunk: string): Generator<JsonEntry> {
    let from = 0;
    let at = 0;
    if (this.#isEscaped && chunk.length > 0) {
      this.#isEscaped = false;
      at = 1;
    }
    while (at < chunk.length) {
      const pattern = this.#isText ? inText : marks;
      pattern.lastIndex = at;
      const found = pattern.exec(chunk);
      if (!found) break;
      at = found.index + 1;
      const code = chunk.charCodeAt(found.index);
      if (code === backslash) this.#isEscaped = at++ >= chunk.length;
      else if (code === quote) this.#isText = !this.#isText;
      else if (this.#isBoundary(code)) {
        this.#retain(chunk, from, found.index);
        const entry = this.#boundary(code);
        if (entry) yield entry;
        from = at;
      } else this.#nest(code);
    }
    this.#retain(chunk, from, chunk.length);
  }

  end(): void {
    if (this.#depth !== 0 || this.#isText || this.#pending.trim() !== "") throw new MalformedJson();
  }

  /** Whether a mark ends a section, an entry, or the name of a section. */
  #isBoundary(code: number): boolean {
    if (code === comma) return this.#depth <= 2;
    return opening.has(code) ? this.#depth < 2 : this.#depth <= 2;
  }

  #nest(code: number): void {
    if (opening.has(code)) this.#depth++;
    else if (closing.has(code)) this.#depth--;
  }

  /** Names of sections are always needed, entries only of those that are wanted. */
  #retain(chunk: string, from: number, to: number): void {
    if (this.#depth >= 2 && !this.sections.has(this.#section)) return;
    this.#pending += chunk.slice(from, to);
    if (this.#pending.length > maxEntry) throw new MalformedJson();
  }

  #boundary(code: number): JsonEntry | null {
    const pending = this.#pending;
    this.#pending = "";
    if (opening.has(code)) {
      if (this.#depth === 1) this.#begin(pending, code === 91);
      this.#depth++;
      return null;
    }
    const entry = this.#depth === 2 ? this.#entry(pending) : null;
    if (code !== comma && --this.#depth < 0) throw new MalformedJson();
    return entry;
  }

  #begin(pending: string, isList: boolean): void {
    this.#section = Object.keys(JSON.parse(`{${pending}null}`) as object)[0] ?? "";
    [this.#isList, this.#index] = [isList, 0];
  }

  #entry(pending: string): JsonEntry | null {
    if (!this.sections.has(this.#section) || pending.trim() === "") return null;
    const section = this.#section;
    if (this.#isList) return { section, key: String(this.#index++), value: JSON.parse(pending) };
    const [member] = Object.entries(JSON.parse(`{${pending}}`) as object);
    return member ? { section, key: member[0], value: member[1] } : null;
  }
}
