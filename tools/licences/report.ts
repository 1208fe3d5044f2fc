import { importsOfWeb, lockedPackages, type ShippedPackage, shippedPackages } from "./packages.ts";

/** Path of the report in the repository. */
export const licenceReport = "docs/reference/licences.md";

const head = `# Licences

Packages of npm that reach users, by their licences: those that services run, and those that are built into the web interface. Written by
\`npm run licences\` from \`package-lock.json\`; \`npm run ok\` refuses a licence that is not in \`tools/licences/allowed.ts\`. Tributary itself is under
[Apache-2.0](../../LICENSE). The images also hold Debian packages, whose licences are in \`/usr/share/doc\`.
`;

/** All packages that reach users. */
export async function packagesOfProduct(): Promise<ShippedPackage[]> {
  return shippedPackages(lockedPackages(), await importsOfWeb());
}

/** The report as Markdown, the same for the same lock file. */
export function licencesMarkdown(packages: ShippedPackage[]): string {
  const groups = [...Map.groupBy(packages, ({ licence }) => licence)].sort(([a], [b]) =>
    a < b ? -1 : 1
  );
  const sections = groups.map(([licence, members]) =>
    [
      `\n## ${licence} (${members.length})\n`,
      "| Package | Version | In |",
      "| --- | --- | --- |",
      ...members.map((one) => `| \`${one.name}\` | ${one.version} | ${one.in} |`),
      "",
    ].join("\n")
  );
  return head + sections.join("");
}
