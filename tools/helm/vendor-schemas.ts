// Writes ops/helm/schemas/ again, with which the rendered chart is validated. Arguments: the folder `v1.34.0-local-strict` of
// the PyPI package kubernetes-validate, and the folder `example/prometheus-operator-crd` of the Go module of the Prometheus
// operator. Only the kinds of the chart are taken, without descriptions.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parse } from "yaml";

type Schema = Record<string, unknown>;

const target = "ops/helm/schemas";

/** Kinds of Kubernetes, as the files of the package name them. */
const kinds = [
  "configmap-v1",
  "deployment-apps-v1",
  "horizontalpodautoscaler-autoscaling-v2",
  "ingress-networking-v1",
  "job-batch-v1",
  "networkpolicy-networking-v1",
  "persistentvolumeclaim-v1",
  "poddisruptionbudget-policy-v1",
  "service-v1",
  "serviceaccount-v1",
];

/** Kinds of the Prometheus operator, as its files name them. */
const operatorKinds = ["prometheusrule", "servicemonitor"];

const reference = /^.*_definitions\.json#\/\$defs\//;

/** The schema without texts for people, its references leading into the same file. */
function slim(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(slim);
  if (schema === null || typeof schema !== "object") return schema;
  const entries = Object.entries(schema as Schema).flatMap(([key, value]) => {
    if (key === "description" && typeof value === "string") return [];
    if (/^(x-kubernetes-|\$id$|\$schema$|status$|default$)/.test(key)) return [];
    if (key === "$ref") return [[key, String(value).replace(reference, "#/$defs/")]];
    return [[key, slim(value)]];
  });
  return Object.fromEntries(entries);
}

/** Names of the definitions that a schema needs, directly or indirectly. */
function needed(schema: unknown, all: Schema, found = new Set<string>()): Set<string> {
  for (const [, name = ""] of JSON.stringify(schema).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    needed(all[name], all, found);
  }
  return found;
}

function write(name: string, schema: unknown): void {
  const text = JSON.stringify({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...schema as Schema,
  });
  writeFileSync(join(target, `${name}.json`), `${text}\n`);
  console.log(`written ${target}/${name}.json, ${text.length} bytes`);
}

function kubernetes(folder: string): void {
  const read = (name: string) =>
    slim(JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"))) as Schema;
  const all = read("_definitions").$defs as Schema;
  for (const kind of kinds) {
    const schema = read(kind);
    const names = [...needed(schema, all)].sort();
    const $defs = Object.fromEntries(names.map((name) => [name, all[name]]));
    write(kind, { ...schema, ...(names.length > 0 ? { $defs } : {}) });
  }
}

/** A schema of a custom resource lets unknown members be; here they are refused. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (schema === null || typeof schema !== "object") return schema;
  const entries = Object.entries(schema as Schema).map(([key, value]) => [key, strict(value)]);
  const known = Object.fromEntries(entries) as Schema;
  const isClosed = known.properties && known.additionalProperties === undefined;
  return isClosed ? { ...known, additionalProperties: false } : known;
}

function operator(folder: string): void {
  for (const kind of operatorKinds) {
    const file = join(folder, `monitoring.coreos.com_${kind}s.yaml`);
    const { spec } = parse(readFileSync(file, "utf8"));
    const schema = strict(slim(spec.versions[0].schema.openAPIV3Schema)) as Schema;
    const properties = schema.properties as Schema;
    write(`${kind}-monitoring-v1`, {
      ...schema,
      properties: { ...properties, metadata: { type: "object" } },
    });
  }
}

const [kubernetesFolder, operatorFolder] = process.argv.slice(2);
if (!kubernetesFolder || !operatorFolder) {
  console.error(
    "usage: deno run -A tools/helm/vendor-schemas.ts <kubernetes schemas> <operator CRDs>",
  );
  process.exit(2);
}
mkdirSync(target, { recursive: true });
kubernetes(kubernetesFolder);
operator(operatorFolder);
