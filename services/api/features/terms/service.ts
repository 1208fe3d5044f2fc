export { recordMentions, refuseMentioned } from "#services/api/features/terms/keeping.ts";
export { createTerm, deleteTerm, updateTerm } from "#services/api/features/terms/editing.ts";
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
export { termSearch } from "#services/api/features/terms/family.ts";
