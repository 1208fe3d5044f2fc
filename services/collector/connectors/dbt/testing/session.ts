import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DbtSettings } from "#contract/connections/dbt.ts";
import { sourceCatrn } from "#platform/connections/kinds.ts";
import type { Session } from "../../../connector.ts";
import { plainSession } from "../../../testing/source.ts";

/** Artifacts of a small project, as dbt 1.12 wrote them, without what is not read. */
export const target = join(dirname(fileURLToPath(import.meta.url)), "target");

/** A session over the artifacts of that project, or at another location. */
export function dbtSession(
  more: Partial<Omit<Session<DbtSettings>, "settings">> & { settings?: Partial<DbtSettings> } = {},
): Session<DbtSettings> {
  const { settings: given, ...rest } = more;
  const warehouse = "postgres://db.example:5432";
  const settings = DbtSettings.parse({ project: "shop", location: target, warehouse, ...given });
  return {
    ...plainSession(),
    settings,
    secrets: new Map([["token", "s3cret-token"]]),
    source: sourceCatrn("dbt", settings),
    folders: [dirname(target)],
    ...rest,
  };
}
