import type { ShippedPackage } from "./packages.ts";

/** Licences under which a package may be passed on with this product; each asks for no more than to be named. */
const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
  "Zlib",
]);

/** Whether an SPDX expression lets us choose allowed licences alone; anything that is not such an expression does not. */
export function isAllowed(expression: string): boolean {
  const text = expression.trim();
  const inner = /^\(([^()]*)\)$/.exec(text)?.[1] ?? text;
  if (/[()]/.test(inner)) return false;
  return inner.split(/ OR /).some((choice) =>
    choice.split(/ AND /).every((one) => allowed.has(one.trim()))
  );
}

/** Packages whose licence is not allowed, each with what to do. */
export function licenceProblems(packages: ShippedPackage[]): string[] {
  return packages.filter(({ licence }) => !isAllowed(licence)).map(({ name, version, licence }) =>
    `${name}@${version} has the licence ${licence}, which is not in tools/licences/allowed.ts: use another package`
  );
}
