import { expect, it } from "vitest";
import { publishedRoutes } from "#services/api/openapi.ts";

const own = "changes only what belongs to the caller";
const reads = "reads, with a body that says what";
const search = "a search belongs to the caller";

/** Operations that write and ask for no permission, even with `auth.enforce-all-gates`, and why. */
const ungated: Record<string, string> = {
  addFavorite: own,
  removeFavorite: own,
  getFavoriteStatus: reads,
  recordRecentlyViewed: own,
  removeRecentlyViewed: own,
  getRecentlyViewedStatus: reads,
  createPersonalToken: own,
  deletePersonalToken: own,
  createOwnerAssociationRequest: "only asks for something; somebody else decides",
  genAiQuestion: reads,
  postMessageInChat: "says something in the caller's name, as in the chat itself",
  queryExamplesSearch: search,
  updateQueryExampleSearchFacetList: search,
  referenceDataSearch: search,
  updateReferenceDataSearchFacetList: search,
  search,
  updateSearchFacets: search,
  termSearch: search,
  updateTermSearchFacets: search,
};

it("every operation that changes what others see asks for a permission", () => {
  const found = publishedRoutes().map(({ spec }) => spec)
    .filter(({ method, access }) => method !== "get" && access === "signed-in")
    .map(({ id }) => id);
  expect(found.toSorted()).toEqual(Object.keys(ungated).toSorted());
});
