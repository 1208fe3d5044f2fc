import { z } from "@hono/zod-openapi";
import { TermList, TermRefList } from "#contract/catalogue/terms.ts";
import type { Actor } from "#contract/actor.ts";
import { NameInput } from "#contract/catalogue/inputs.ts";
import { Id } from "#contract/http.ts";
import { givenText } from "#contract/text.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { conflict, notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { ensureNamed, nameKey } from "#metadata/catalogue/names.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import type { FacetSpec, SearchFamily } from "#services/api/search/family.ts";
import { isSame } from "#services/api/search/typed-text.ts";
import * as queries from "#services/api/features/terms/queries.ts";
import { spelled } from "#services/api/conflicts.ts";
import { maxLinkedTerms } from "./linking.ts";
import { maxMentions, recordMentions, refuseMentioned } from "./mentions.ts";

export { recordMentions, refuseMentioned } from "#services/api/features/terms/mentions.ts";
export {
  describeTerm,
  findTerm,
  listColumns,
  listEntities,
  listLinkedTerms,
  listTerms,
} from "#services/api/features/terms/reading.ts";
export {
  addEntityTerm,
  linkTerms,
  lockTerms,
  removeEntityTerm,
  unlinkTerms,
} from "#services/api/features/terms/linking.ts";
export {
  createOwnership,
  deleteOwnership,
  tagTerm,
  updateOwnership,
} from "#services/api/features/terms/people.ts";
export { lockTerm } from "#services/api/features/terms/queries.ts";

const facets = new Map<string, FacetSpec>(Object.entries({
  tags: {
    holds: (ids: string) =>
      `e.id IN (SELECT x.term_id FROM term_tag x WHERE x.tag_id = ANY(${ids}::bigint[]))`,
    value: { table: "term_tag", of: "term_id", to: "tag_id" },
    names: "SELECT id, name FROM tag",
  },
  namespaces: {
    holds: (ids: string) => `e.namespace_id = ANY(${ids}::bigint[])`,
    value: "e.namespace_id",
    names: "SELECT id, name FROM namespace",
  },
  owners: {
    holds: (ids: string) =>
      `e.id IN (SELECT x.term_id FROM term_ownership x WHERE x.owner_id = ANY(${ids}::bigint[]))`,
    value: { table: "term_ownership", of: "term_id", to: "owner_id" },
    names: "SELECT id, name FROM owner",
  },
}));

/** The search over terms: by name, definition, namespace, tags and owners. */
export const termSearch: SearchFamily = {
  name: "terms",
  schemas: "Term",
  tag: "term",
  path: "/api/terms/search",
  operations: {
    start: "termSearch",
    read: "getTermSearchFacetList",
    change: "updateTermSearchFacets",
    facet: "getTermFiltersForFacet",
    results: "getTermSearchResults",
    suggestions: "getTermSearchSuggestions",
  },
  table: "term",
  document: {
    table: "term_document",
    key: "term_id",
    name: "search_name(e.name)",
    names: "ts_filter(d.vector, '{a}')",
    same: (typed) => isSame(typed, ["e.name"]),
    context: "(SELECT n.name FROM namespace n WHERE n.id = e.namespace_id)",
  },
  shown: () => [],
  facets,
  emptyFacets: ["types", "groups", "statuses"],
  results: {
    schema: TermList,
    json: ({ ids, total, hasNext }) => `json_term_list(${ids}, ${total}, ${hasNext})`,
  },
  suggestions: {
    max: 5,
    schema: TermRefList,
    json: ({ ids }) => `
      SELECT json_build_object(
               'items', coalesce(json_agg(json_term_ref(t, n) ORDER BY f.place), '[]'),
               'page_info', json_build_object('total', count(*), 'hasNext', false))
        FROM unnest(${ids}) WITH ORDINALITY AS f (id, place) JOIN term t ON t.id = f.id
        JOIN namespace n ON n.id = t.namespace_id`,
  },
};

const terms = "terms";

/** Longest definition of a term, in UTF-16 units. */
const maxDefinition = 100_000;
/** Characters of a definition that are shown where a term is only referred to; a dataset may do so 12,000 times. */
export const shownDefinition = 1_000;

const Definition = givenText({ max: maxDefinition });
const instead = (key: string) => `Instead of \`${key}\`; one of them must be given`;

/**
 * The namespace is known by its name, and made if missing. The definition is Markdown, and may be empty. The published
 * interface calls both by two names; either is taken.
 */
export const TermForm = z.object({
  name: NameInput,
  namespace_name: NameInput.optional(),
  namespace: NameInput.optional().openapi({ description: instead("namespace_name") }),
  definition: Definition.optional(),
  description: Definition.optional().openapi({ description: instead("definition") }),
}).transform(({ name, namespace_name, namespace, definition, description }, context) => ({
  name,
  namespace_name: oneOf(
    { key: "namespace_name", value: namespace_name },
    { key: "namespace", value: namespace },
    context,
  ),
  definition: oneOf(
    { key: "definition", value: definition },
    { key: "description", value: description },
    context,
  ),
})).openapi("TermFormData");
export type TermForm = z.output<typeof TermForm>;

interface FormValue {
  key: string;
  value: string | undefined;
}

/** The value that is given under one of two keys, or the same under both. */
function oneOf(first: FormValue, other: FormValue, context: z.RefinementCtx): string {
  const issue = (path: string, message: string) => {
    context.addIssue({ code: "custom", path: [path], message });
    return "";
  };
  const value = first.value ?? other.value;
  if (value === undefined) return issue(first.key, `is required (or ${other.key})`);
  if (other.value !== undefined && other.value !== value) {
    return issue(other.key, `must be the same as ${first.key} where both are given`);
  }
  return value;
}

export const LinkedTermForm = z.object({ linked_term_id: Id }).openapi("LinkedTermFormData");
export const DataEntityTermForm = z.object({ term_id: Id }).openapi("DataEntityTermFormData");

/** Limits of the glossary. */
export const termLimits: Limit[] = [
  limit(terms, "definition, UTF-16 units", maxDefinition),
  limit(terms, "definition of a referenced term, characters", shownDefinition, "it is cut"),
  limit(terms, "terms that one text mentions", maxMentions),
  limit(terms, "terms linked to one entity by users", maxLinkedTerms),
];

type Deps = Pick<Context, "db">;

/**
 * Creates a term, and its namespace if it does not exist; TermDetails as JSON text. Texts that mention it
 * already are links from now on. Throws 400 (USR003) when the namespace has a term of that name.
 */
export function createTerm(context: Deps, actor: Actor, form: TermForm): Promise<string> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const { name, definition } = form;
    const [made] = await tx.query(queries.insert, [await namespaceOf(tx, form), name, definition]);
    if (!made) throw taken(form);
    await recordMentions(tx, { kind: "term", id: made.id }, definition, "definition");
    change.searchable([made.id], "term");
    return (await tx.query(queries.details, [made.id]))[0]!.json;
  });
}

/**
 * Changes a term; TermDetails as JSON text. What people linked with it is found by a new name soon after. Throws 404,
 * 400 (USR003) when the name is taken, and 400 (USR004) for another name or namespace while a text mentions the term;
 * another spelling of its name is no other name.
 */
export function updateTerm(
  context: Deps,
  actor: Actor,
  id: number,
  form: TermForm,
): Promise<string> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const { name, definition } = form;
    const namespaceId = await namespaceOf(tx, form);
    const before = await locked(tx, id, "change");
    await recordMentions(tx, { kind: "term", id }, definition, "definition");
    const isRenamed = await nameKey(tx, name) !== before.folded;
    if (before.namespaceId !== namespaceId || isRenamed) {
      await locked(tx, id, "name");
      // The new definition is recorded already: it must not mention the old name either.
      const refused = { kind: "term", id, name: before.mentionedAs, done: "renamed" } as const;
      await refuseMentioned(tx, { ...refused, own: true });
    }
    await tx.query(queries.update, [id, namespaceId, name, definition]);
    change.searchable([id], "term");
    return (await tx.query(queries.details, [id]))[0]!.json;
  }, { unique: () => taken(form) });
}

/**
 * Deletes a term, and removes all its links; as for a tag, the feed has no event for it. Throws
 * 404, and 400 (USR004) while a text of something else mentions it.
 */
export function deleteTerm(context: Deps, actor: Actor, id: number): Promise<void> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const { mentionedAs: name } = await locked(tx, id, "name");
    await refuseMentioned(tx, { kind: "term", id, name, done: "deleted", own: false });
    change.searchable(await queries.deleteTerm(tx, id));
  });
}

const namespaceOf = async (tx: Transaction, { namespace_name }: TermForm) =>
  (await ensureNamed(tx, "namespace", namespace_name))!;

async function locked(tx: Transaction, id: number, against: "change" | "name") {
  const term = await queries.lockTerm(tx, id, against);
  if (!term) throw notFound("Term", id);
  return term;
}

function taken({ name, namespace_name }: TermForm) {
  return conflict(`There is already a term called ${name} in namespace ${namespace_name}`, [
    { field: "name", message: `must not be the name of another term of the namespace, ${spelled}` },
  ]);
}
