import { cutTo, segment } from "#platform/naming/text.ts";

/** Prefix of the CATRNs of everything that only DataHub's collectors report, and of their data sources. */
export const datahubRoot = "//datahub/platforms/";

/** CATRN of the data source of all that is reported of one platform. */
export function platformCatrn(platform: string): string {
  return datahubRoot + segment(platform);
}

/** CATRN of something of a platform that no rule of a system names: `kind` is a plural such as `dashboards`. */
export function ownCatrn(platform: string, kind: string, ...names: string[]): string {
  return cutTo(`${platformCatrn(platform)}/${kind}/${names.map(segment).join("/")}`);
}

/** The environment that names mean when they give none. */
export const usualEnv = "PROD";

/** CATRN of a dataset of a platform whose names no rule knows. */
export function genericDatasetCatrn(platform: string, name: string, env: string): string {
  return env === usualEnv
    ? ownCatrn(platform, "datasets", name)
    : ownCatrn(platform, "environments", env, "datasets", name);
}
