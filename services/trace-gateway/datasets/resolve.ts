import { own } from "#kit/own.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { resolveCandidates } from "#platform/naming/resolve-candidates.ts";
import { catalogued, noMemory } from "#platform/naming/catalogue.ts";
import type { CandidateName, CandidateSegment } from "#platform/naming/model.ts";
import { addressOf } from "#platform/naming/openlineage/parse.ts";
import { escaped } from "#platform/naming/text.ts";
import {
  datasetKey,
  type DatasetRef,
  type DatasetTemplates,
  fill,
  nameDataset,
  type TemplateMatch,
  type Values,
} from "./templates.ts";

/** CATRNs by `datasetKey`. */
export interface ResolvedDatasets {
  catrns: Map<string, string>;
  /** Keys of those that are named by their template alone, since the catalogue holds none of them. */
  guessed: Set<string>;
}

/**
 * CATRNs of the datasets that traces name. A catalogued dataset of exactly the
 * templated CATRN is it; else the one that differs by no more than the port or the letter case of
 * its host, the case of its name, being a view, or a schema missing in the span, if there is
 * exactly one; else the templated CATRN, which the catalogue keeps a place for.
 */
export async function resolveDatasets(
  db: Database,
  templates: DatasetTemplates,
  refs: DatasetRef[],
): Promise<ResolvedDatasets> {
  const wanted = new Map<string, CandidateName & { whole: boolean }>();
  for (const ref of refs) {
    const named = nameDataset(ref, templates);
    const whole = named.values.target !== null;
    wanted.set(datasetKey(ref), { ...candidateOf(named, ref.address), whole });
  }
  const catrns = new Map([...wanted].map(([key, { exact }]) => [key, exact]));
  const known = (names: string[]) => catalogued(db, names);
  const existing = await known([...new Set(catrns.values())]);
  const missing = [...wanted].filter(([, { exact, whole }]) => whole && !existing.has(exact));
  const finding = { known, memory: noMemory };
  const found = await resolveCandidates(db, missing.map(([, candidate]) => candidate), finding);
  const guessed = new Set<string>();
  missing.forEach(([key], at) => {
    const catrn = found[at];
    if (typeof catrn === "string") catrns.set(key, catrn);
    else guessed.add(key);
  });
  return { catrns, guessed };
}

/**
 * What may be catalogued of a named dataset under another CATRN than that of its template. `address` is that of the
 * span, null when it has none: then any host of the system matches.
 */
function candidateOf(named: TemplateMatch, address: string | null): CandidateName {
  const { template, values } = named;
  const port = address === null ? null : addressOf(address).port;
  const form = (text: string) =>
    text.slice(2).split("/").map((piece, at, all) => {
      const segment = segmentOf(piece, named, port);
      // The host before it identifies the cluster, whatever its collector calls it.
      return all[at - 1] === "clusters" ? { text: segment.text, guessed: true } : segment;
    });
  // Some collectors of Kafka write no cluster.
  const forms = [...new Set([template, template.replace("/clusters/{bootstrap}", "")])];
  const [system = ""] = template.slice(2).split("/");
  return {
    exact: fill(template, values),
    systems: [fill(system, values).toLowerCase()],
    forms: forms.map(form),
  };
}

/** What a piece of a template, between slashes, stands for. */
function segmentOf(piece: string, { values, schemaGuessed }: TemplateMatch, port: string | null) {
  const names = [...piece.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!);
  if (names.length === 0) return labelOf(piece);
  const text = textOf(piece, names, values);
  const segment: CandidateSegment = { text, name: names.includes("target") };
  if (names.includes("schema")) segment.guessed = schemaGuessed;
  if (!names.some((name) => hostMembers.has(name))) return segment;
  return {
    ...segment,
    ...(piece === "{bootstrap}" && values.host !== null && { others: [escaped(values.host)] }),
    fits: templateFits(piece, values),
    ...(port !== null && { prefers: (other: string) => other.includes(`:${port}`) }),
  };
}

/** Where a system runs, in which collectors differ. */
const hostMembers = new Set(["host", "address", "bootstrap", "port"]);

function labelOf(text: string): CandidateSegment {
  return text === "tables" ? { text, others: ["views"] } : { text };
}

function textOf(piece: string, names: string[], values: Values): string | null {
  const isGiven = (name: string) =>
    (own(values, name) ?? null) !== null || (hostMembers.has(name) && name !== "port");
  return names.every(isGiven) ? fill(piece, values) : null;
}

/** A host with any port or without, in any letter case, alone or in a list; any if the span has none. */
function templateFits(piece: string, values: Values): (text: string) => boolean {
  if (values.host === null) return (text) => text !== "";
  const quoted = (text: string) => RegExp.escape(text.toLowerCase());
  const host = `${quoted(escaped(values.host))}(?::\\d+)?`;
  const source = piece.split(/(\{[^{}]*\})/).map((part) => {
    if (!part.startsWith("{")) return quoted(part);
    const name = part.slice(1, -1);
    if (name === "port") return "\\d+";
    return hostMembers.has(name) ? host : quoted(escaped(own(values, name) ?? ""));
  });
  // expression-ok -- escaped texts, and digits that end at the next of them
  const pattern = new RegExp(`^${source.join("")}$`);
  return (text) => text.toLowerCase().split(",").some((one) => pattern.test(one));
}
