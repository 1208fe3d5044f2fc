import type { Context } from "#platform/context.ts";
import { noMemory } from "#platform/naming/memory.ts";
import { type NameRef, namingSettings, resolveNames } from "#platform/naming/openlineage/names.ts";
import { aliasesOf } from "./aliases.ts";
import { entityOf } from "./queries.ts";

/** What the catalogue knows a dataset of OpenLineage as, and why (OpenLineageName), as it is now. */
export async function explainName({ db, config }: Pick<Context, "db" | "config">, given: NameRef) {
  const settings = namingSettings(config.openlineage);
  const [resolved] = await resolveNames(db, [given], settings, noMemory);
  const { catrn, rule, match, warnings } = resolved!;
  const entity = await entityOf(db, catrn);
  return {
    catrn,
    entity_id: entity?.id ?? null,
    rule,
    match,
    aliases: await aliasesOf(db, given, settings),
    source_catrn: entity?.source ?? null,
    warnings,
  };
}
