import { type PageQuery, pageWindow } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { duplicateNames } from "#services/api/features/merging/merge.ts";

export { mergeNamespaces } from "#services/api/features/merging/namespaces.ts";
export { mergeOwners } from "#services/api/features/merging/owners.ts";
export { mergeTags } from "#services/api/features/merging/tags.ts";
export { mergeTerms } from "#services/api/features/merging/terms.ts";

/** One page of names that are stored in several spellings; DuplicateNameList as JSON text. */
export function listDuplicates({ db }: Pick<Context, "db">, page: PageQuery): Promise<string> {
  return duplicateNames(db.reads, pageWindow(page));
}
