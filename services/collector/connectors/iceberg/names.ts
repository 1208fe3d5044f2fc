import { catrnsOf, type NamingSettings } from "#platform/naming/openlineage/names.ts";
import { cutTo, escaped } from "#platform/naming/text.ts";

/** `sales.emea` of the levels of a namespace. */
export const namespaceName = (levels: string[]) => levels.join(".");

export const namespaceCatrn = (source: string, levels: string[]) =>
  cutTo(`${source}/namespaces/${escaped(namespaceName(levels))}`);

/** CATRN of a table in its catalog, where no rule names its location. */
export const tableCatrn = (source: string, levels: string[], name: string) =>
  cutTo(`${namespaceCatrn(source, levels)}/tables/${escaped(name)}`);

/** CATRN of a table by its location, as events of Spark name it first; null of one that no rule names. */
export function locationCatrn(
  location: string | null | undefined,
  naming: NamingSettings,
): string | null {
  const [, scheme = "", authority = "", path = ""] =
    /^([a-z][a-z0-9+.-]*):(?:\/\/([^/]*))?(\/.*)$/i.exec(location ?? "") ?? [];
  if (scheme === "" || path.replaceAll("/", "") === "") return null;
  const namespace = authority === "" ? scheme : `${scheme}://${authority}`;
  const { catrn, generic } = catrnsOf({ namespace, name: path }, naming);
  return generic ? null : catrn;
}
