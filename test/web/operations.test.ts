import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Operations that no screen uses, and why. */
const programsOnly: Record<string, string> = {
  receiveChatEvent: "the chat calls it",
  getConnectionRun: "a screen lists the runs of a connection, each with all of it",
  ...merging("getDuplicateNames", "mergeNamespaces", "mergeOwners", "mergeTags", "mergeTerms"),
  ...sessions("getSearchFacetList", "updateSearchFacets"),
  ...sessions("getTermSearchFacetList", "updateTermSearchFacets"),
  ...sessions("getQueryExampleSearchFacetList", "updateQueryExampleSearchFacetList"),
  ...sessions("getReferenceDataSearchFacetList", "updateReferenceDataSearchFacetList"),
};

/** Names that an earlier release stored in several spellings, which happens once in the life of a catalogue. */
function merging(...ids: string[]): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [id, "docs/use/glossary.md shows the requests"]));
}

/** The address holds the state of a search, and each state is a session of its own. */
function sessions(...ids: string[]): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [id, "for programs that keep a session"]));
}

interface Document {
  paths: Record<string, Record<string, { operationId?: string }>>;
}

const document: Document = JSON.parse(readFileSync("docs/openapi/platform.json", "utf8"));
const sources = readdirSync("web", { recursive: true, encoding: "utf8" })
  .filter((file) =>
    /\.tsx?$/.test(file) && !file.endsWith(".gen.ts") && !/\.test\.tsx?$/.test(file)
  )
  .map((file) => readFileSync(`web/${file}`, "utf8"));
const source = sources.join("\n");

/** The path as it stands in a source, or with one of its parts computed: `lineage/${side}`. */
function literalOf(path: string): string {
  const parts = path.split("/").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const computed = parts.slice(2).map((_, at) => parts.with(at + 2, "\\$\\{\\w+\\}").join("/"));
  return `["\`](?:${[parts.join("/"), ...computed].join("|")})["\`]`;
}

/** Whether some screen calls `path` with `method`. A path may be a constant of its file, and a file is sent by itself. */
function isUsed(method: string, path: string): boolean {
  const literal = literalOf(path);
  if (method === "get") return new RegExp(literal).test(source) || usedAsAddress(path);
  const direct = new RegExp(`["']${method}["'](?: : ["']\\w+["'])?,\\s*${literal}`);
  const named = new RegExp(literal);
  const byName = new RegExp(`["']${method}["'],\\s*[a-z]\\w*\\b|\\bsendFile<`, "i");
  return sources.some((text) => direct.test(text) || (named.test(text) && byName.test(text)));
}

/** Downloads and pages elsewhere are links: `api/messages/${id}/url`; a direction is a variable where both are requested. */
function usedAsAddress(path: string): boolean {
  const variable = "\\$\\{[^}]+\\}";
  const pattern = path.slice(1).replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  const asLink = pattern.replace(/\{\w+\}/g, variable);
  const inEither = pattern.replace(/(?<=\/)(up|down)stream(?=\/|$)/g, variable);
  return new RegExp(asLink).test(source) || new RegExp(`${inEither}\``).test(source);
}

it("every operation has its place on a screen, or a reason why it has none", () => {
  const without = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      operationId && !(operationId in programsOnly) && !isUsed(method, path)
        ? [`${operationId}: ${method.toUpperCase()} ${path}`]
        : []
    )
  );
  expect(without).toEqual([]);
});

it("each reason is of an operation that exists", () => {
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId)
  );
  for (const id of Object.keys(programsOnly)) expect(ids).toContain(id);
});
