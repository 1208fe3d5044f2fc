import { type Limit, limit } from "#kit/limits.ts";
import { maxBranches } from "./resolve-candidates.ts";
import { maxChildren, maxResolved, maxSources } from "./catalogue.ts";
import { maxMatchedName } from "./openlineage/settings.ts";
import { maxRuledName } from "./openlineage/catrns.ts";

const names = "names of datasets";

/** Limits on finding what names mean. */
export const namingLimits: Limit[] = [
  limit(
    names,
    "name or namespace of OpenLineage that is parsed, UTF-16 units",
    maxRuledName,
    "a CATRN with a digest",
  ),
  limit(
    names,
    "name compared with `openlineage.datasets` and `.jobs`, UTF-16 units",
    maxMatchedName,
    "it matches none",
  ),
  limit(
    names,
    "data sources of one system that are compared",
    maxSources,
    "the others are not compared",
  ),
  limit(names, "databases or schemas searched for a table", maxChildren, "it is `ambiguous`"),
  limit(names, "CATRNs that one name may mean", maxBranches, "it is `ambiguous`"),
  limit(
    names,
    "resolved names cached for a minute",
    maxResolved,
    "the oldest is looked up again",
  ),
];
