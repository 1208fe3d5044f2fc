import { maxParameterList, maxParameterText } from "#contract/http.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { accessLimits } from "#services/api/access/limits.ts";
import { policyLimits } from "#services/api/access/permissions/policy/document.ts";
import { changeLimits } from "#services/api/features/changes/limits.ts";
import { customMetadataLimits } from "#services/api/features/custom-metadata/service.ts";
import { datasetFieldLimits } from "#services/api/features/dataset-fields/service.ts";
import { alertLimits } from "#services/api/features/alerts/service.ts";
import { assetLimits } from "#services/api/features/assets/service.ts";
import { genAiLimits } from "#services/api/features/genai/service.ts";
import { dataEntityLimits } from "#services/api/features/dataentities/limits.ts";
import { demonstrationLimits } from "#services/api/features/demonstration/service.ts";
import { descriptionLimits } from "#services/api/features/descriptions/service.ts";
import { attachmentLimits } from "#services/api/features/attachments/limits.ts";
import { lineageLimits } from "#services/api/features/lineage/limits.ts";
import { groupLimits } from "#services/api/features/groups/service.ts";
import { datahubLimits } from "#services/api/features/datahub/limits.ts";
import { ingestionLimits } from "#services/api/features/ingestion/limits.ts";
import { lookupLimits } from "#services/api/features/lookup-tables/limits.ts";
import { uploadLimits } from "#services/api/features/uploads/service.ts";
import { messageLimits } from "#services/api/features/messages/service.ts";
import { openLineageExportLimits } from "#services/api/features/openlineage/export/limits.ts";
import { lineageIntakeLimits } from "#services/api/features/openlineage/intake/limits.ts";
import { opsLimits } from "#services/api/features/ops/limits.ts";
import { ownerLimits } from "#services/api/features/owners/service.ts";
import { ownershipLimits } from "#services/api/features/ownership/service.ts";
import { personalTokenLimits } from "#services/api/features/personal-tokens/service.ts";
import { queryExampleLimits } from "#services/api/features/query-examples/service.ts";
import { entitySearchLimits } from "#services/api/features/search/service.ts";
import { tagLimits } from "#services/api/features/tags/service.ts";
import { termLimits } from "#services/api/features/terms/service.ts";
import { mcpLimits } from "#services/api/mcp/limits.ts";
import { searchLimits } from "#services/api/search/limits.ts";

const parameters = "parameters of /api and /ingestion";

/** Limits on requests to the API, beyond which they are refused. */
export const apiLimits: Limit[] = [
  ...accessLimits,
  ...ingestionLimits,
  ...lineageIntakeLimits,
  ...datahubLimits,
  ...openLineageExportLimits,
  ...genAiLimits,
  ...attachmentLimits,
  ...groupLimits,
  ...lineageLimits,
  ...lookupLimits,
  ...opsLimits,
  ...ownerLimits,
  ...ownershipLimits,
  ...tagLimits,
  ...demonstrationLimits,
  ...descriptionLimits,
  ...customMetadataLimits,
  ...datasetFieldLimits,
  ...termLimits,
  ...queryExampleLimits,
  ...alertLimits,
  ...assetLimits,
  limit(parameters, "text, UTF-16 units", maxParameterText),
  limit(parameters, "values of a list", maxParameterList),
  ...dataEntityLimits,
  ...searchLimits,
  ...entitySearchLimits,
  ...messageLimits,
  ...uploadLimits,
  ...changeLimits,
  ...personalTokenLimits,
  ...policyLimits,
  ...mcpLimits,
];
