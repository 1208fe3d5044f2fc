import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { parseAllDocuments } from "yaml";
import { helmPrograms } from "./install.mjs";

/** A variable of a container. */
export interface EnvVariable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string } };
}

export interface Container {
  name: string;
  args: string[];
  env: EnvVariable[];
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
  // deno-lint-ignore no-explicit-any -- as Kubernetes has it
  [key: string]: any;
}

/** An object of Kubernetes, as far as tests read it. */
export interface Manifest {
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  data?: Record<string, string>;
  // deno-lint-ignore no-explicit-any -- of many kinds
  spec?: any;
}

export interface RenderResult {
  /** Empty when the chart was refused. */
  manifests: Manifest[];
  /** What helm says about a failure. */
  error: string;
}

export const chartFolder = "ops/helm/tributary";
export const valuesFolder = "ops/helm/values";

/** Version of Kubernetes whose schemas are in ops/helm/schemas. */
const kubernetes = "1.34.0";

/** The sets of values that are rendered in tests, which are examples as well. */
export const valueSets = readdirSync(valuesFolder).map((file) => basename(file, ".yaml")).sort();

function run(program: string, args: string[], input?: string) {
  const command = join(helmPrograms(), program);
  return spawnSync(command, args, { encoding: "utf8", input, maxBuffer: 1 << 26, timeout: 60_000 });
}

/** A set is named, or given by its path. */
const fileOf = (set: string) => set.endsWith(".yaml") ? set : join(valuesFolder, `${set}.yaml`);

/** What `helm lint --strict` says about the chart with a set of values; empty when nothing is wrong. */
export function lint(set: string): string {
  const { status, stdout, stderr } = run("helm", [
    "lint",
    "--strict",
    "-f",
    fileOf(set),
    chartFolder,
  ]);
  return status === 0 ? "" : stdout + stderr;
}

/** The chart as text, with a set of values and, over it, further ones as JSON by their dotted names. */
function template(set: string, over: Record<string, unknown>) {
  const set1 = Object.entries(over).flatMap(([name, value]) => [
    "--set-json",
    `${name}=${JSON.stringify(value)}`,
  ]);
  const release = ["template", "catalogue", chartFolder, "--namespace", "data"];
  return run("helm", [...release, "--kube-version", kubernetes, "-f", fileOf(set), ...set1]);
}

/** The objects that the chart makes of a set of values. */
export function render(set: string, over: Record<string, unknown> = {}): RenderResult {
  const { status, stdout, stderr } = template(set, over);
  if (status !== 0) return { manifests: [], error: stderr };
  const documents = parseAllDocuments(stdout);
  const manifests = documents.map((document) => document.toJS() as Manifest | null);
  return { manifests: manifests.filter((one) => one !== null), error: "" };
}

/** What kubeconform says about the objects of a set of values; `invalid` is empty when all are valid. */
export function validate(set: string): { valid: number; invalid: string[] } {
  const schemas = "ops/helm/schemas/{{.ResourceKind}}{{.KindSuffix}}.json";
  const args = ["-strict", "-summary", "-output", "json", "-schema-location", schemas];
  const { stdout, stderr } = run("kubeconform", args, template(set, {}).stdout);
  if (stdout === "") return { valid: 0, invalid: [stderr] };
  const { resources, summary } = JSON.parse(stdout);
  const problems = (resources ?? []) as { kind: string; name: string; msg: string }[];
  return {
    valid: summary.valid,
    invalid: problems.map(({ kind, name, msg }) => `${kind} ${name}: ${msg}`),
  };
}

/** The containers of Deployments and of the Job, by the name of their component. */
export function containersOf(manifests: Manifest[]): Record<string, Container> {
  const owners = manifests.filter(({ kind }) => kind === "Deployment" || kind === "Job");
  return Object.fromEntries(owners.map(({ spec }) => {
    const [container] = spec.template.spec.containers as Container[];
    return [container!.name, container!];
  }));
}

/** The objects of a kind, by their names without the release. */
export function named(manifests: Manifest[], kind: string): Record<string, Manifest> {
  const own = manifests.filter((manifest) => manifest.kind === kind);
  return Object.fromEntries(own.map((manifest) => [
    manifest.metadata.name.replace(/^catalogue(-tributary)?-?/, ""),
    manifest,
  ]));
}
