import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { type DbtSettings, isRemote } from "#contract/connections/dbt.ts";
import { type Session, SourceError } from "../../connector.ts";
import { realPathWithin } from "../../folders.ts";
import { SourceHttp, StatusError } from "../../http.ts";
import { jsonEntries, type JsonEntry } from "../../json-entries.ts";

/** Most bytes of one artifact. */
export const maxArtifact = 1024 * 1024 * 1024;

/** Files that dbt writes into its folder `target`. */
type ArtifactName = "manifest.json" | "catalog.json" | "run_results.json" | "sources.json";

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
  const http = new SourceHttp(session, {
    base: session.settings.location,
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  });
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
