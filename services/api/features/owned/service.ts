// What the caller owns and its direct neighbours, for the `my` operations and the views of other
// families.
export {
  type Ancestors,
  myNeighbours,
  myObjects,
  ownedAncestors,
  ownedEntities,
} from "#services/api/features/owned/entities.ts";
export {
  countOfViews,
  entitiesOfView,
  type OwnerView,
  ownerViews,
  type Sides,
} from "#services/api/features/owned/views.ts";
