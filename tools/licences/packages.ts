import { readFileSync } from "node:fs";
import { own } from "#kit/own.ts";
import { repositoryFiles } from "../checks/check.ts";

/** A package of npm that reaches users: it is in the image, or in the built web interface. */
export interface ShippedPackage {
  name: string;
  version: string;
  /** SPDX expression as the package declares it; `unknown` without one. */
  licence: string;
  /** Where it is: its code runs in services, or in browsers. */
  in: "services" | "web interface";
}

interface LockEntry {
  version?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

type Lock = Record<string, LockEntry>;

/** The packages of the `package-lock.json` of a checkout, by their folders. */
export function lockedPackages(checkout = "."): Lock {
  return JSON.parse(readFileSync(`${checkout}/package-lock.json`, "utf8")).packages;
}

/** What builds the web interface and is not in it. */
const buildFiles = /^web\/(chunks|compiled-messages|icons|vite\.config)\.ts$/;

/** Names of the packages that the web interface imports; a bundler puts them into its pages. */
export async function importsOfWeb(): Promise<string[]> {
  const files = (await repositoryFiles(/^web\/.*(?<!\.test)\.tsx?$/)).filter((file) =>
    !/(^|\/)testing\//.test(file) && !buildFiles.test(file)
  );
  const found = files.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const imports = text.matchAll(/(?:\bfrom|\bimport\(?)\s*"((?:@[\w.-]+\/)?[a-z][\w.-]*)[/"]/g);
    return [...imports].map(([, name]) => name!);
  });
  return [...new Set(found)].filter((name) => !name.startsWith("node:")).sort();
}

/** All that reaches users, by name and version; what is in both counts as of services. */
export function shippedPackages(lock: Lock, web: string[]): ShippedPackage[] {
  const services = runtimePackages(lock);
  const bundled = closure(lock, web.flatMap((name) => resolved(lock, "", name) ?? []));
  const all = [
    ...[...services].map((path) => packageOf(lock, path, "services")),
    ...[...bundled].filter((path) => !services.has(path))
      .map((path) => packageOf(lock, path, "web interface")),
  ];
  const byKey = new Map(all.reverse().map((one) => [`${one.name}@${one.version}`, one]));
  return [...byKey.values()].sort((a, b) =>
    compare(a.name, b.name) || compare(a.version, b.version)
  );
}

/** Folders of the packages that services run with: what the root names, without those for development, and all that they need. */
export function runtimePackages(lock: Lock): Set<string> {
  const { dependencies, optionalDependencies } = lock[""]!;
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  return closure(lock, names.flatMap((name) => resolved(lock, "", name) ?? []));
}

const compare = (a: string, b: string) => a < b ? -1 : a > b ? 1 : 0;

function packageOf(lock: Lock, path: string, where: ShippedPackage["in"]): ShippedPackage {
  const { version = "", license = "unknown" } = lock[path]!;
  return {
    name: path.slice(path.lastIndexOf("node_modules/") + 13),
    version,
    licence: license,
    in: where,
  };
}

/** The folders of these packages and of all that they need. */
function closure(lock: Lock, paths: string[], found = new Set<string>()): Set<string> {
  for (const path of paths) {
    if (found.has(path)) continue;
    found.add(path);
    const { dependencies, optionalDependencies } = lock[path]!;
    const names = Object.keys({ ...dependencies, ...optionalDependencies });
    closure(lock, names.flatMap((name) => resolved(lock, path, name) ?? []), found);
  }
  return found;
}

/** The folder in which Node finds a package from another one: its own, or one above. */
function resolved(lock: Lock, from: string, name: string): string | undefined {
  const path = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
  if (own(lock, path)) return path;
  if (from === "") return undefined;
  const above = from.lastIndexOf("/node_modules/");
  return resolved(lock, above < 0 ? "" : from.slice(0, above), name);
}
