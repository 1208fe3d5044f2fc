import type { Context } from "#platform/context.ts";
import type { Route } from "#platform/operations/declare.ts";
import { type Access, openAccess } from "#services/api/access/service.ts";
import { activityRoutes } from "#services/api/features/activity/routes.ts";
import { alertRoutes } from "#services/api/features/alerts/routes.ts";
import { assetHealthRoutes } from "#services/api/features/asset-health/routes.ts";
import { assetRoutes } from "#services/api/features/assets/routes.ts";
import { attachmentRoutes } from "#services/api/features/attachments/routes.ts";
import { auditRoutes } from "#services/api/features/audit/routes.ts";
import { changeRoutes } from "#services/api/features/changes/routes.ts";
import { collectorRoutes } from "#services/api/features/collectors/routes.ts";
import { connectionRoutes } from "#services/api/features/connections/routes.ts";
import { dataSourceRoutes } from "#services/api/features/datasources/routes.ts";
import { directoryRoutes } from "#services/api/features/directory/routes.ts";
import { identityRoutes, linkRoutes } from "#services/api/features/identity/routes.ts";
import { namespaceRoutes } from "#services/api/features/namespaces/routes.ts";
import { customMetadataRoutes } from "#services/api/features/custom-metadata/routes.ts";
import { demonstrationRoutes } from "#services/api/features/demonstration/routes.ts";
import { descriptionRoutes } from "#services/api/features/descriptions/routes.ts";
import { dataEntityRoutes } from "#services/api/features/dataentities/routes.ts";
import { datahubRoutes } from "#services/api/features/datahub/routes.ts";
import { datasetFieldRoutes } from "#services/api/features/dataset-fields/routes.ts";
import { datasetRoutes } from "#services/api/features/datasets/routes.ts";
import { expiryRoutes } from "#services/api/features/expiry/routes.ts";
import { genAiRoutes } from "#services/api/features/genai/routes.ts";
import { groupRoutes } from "#services/api/features/groups/routes.ts";
import { ingestionRoutes } from "#services/api/features/ingestion/routes.ts";
import { LineageQueue } from "#services/api/features/lineage/service.ts";
import { lineageRoutes } from "#services/api/features/lineage/routes.ts";
import { integrationRoutes } from "#services/api/features/integrations/routes.ts";
import { lookupTableRoutes } from "#services/api/features/lookup-tables/routes.ts";
import { mergingRoutes } from "#services/api/features/merging/routes.ts";
import { messageRoutes } from "#services/api/features/messages/routes.ts";
import { metricRoutes } from "#services/api/features/metrics/routes.ts";
import { notificationRoutes } from "#services/api/features/notifications/routes.ts";
import { intakeWarningRoutes } from "#services/api/features/openlineage/intake-warnings/routes.ts";
import { openLineageExportRoutes } from "#services/api/features/openlineage/export/routes.ts";
import { lineageIntakeRoutes } from "#services/api/features/openlineage/intake/routes.ts";
import { openLineageNameRoutes } from "#services/api/features/openlineage/names/routes.ts";
import { openLineageRunRoutes } from "#services/api/features/openlineage/runs/routes.ts";
import { opsRoutes } from "#services/api/features/ops/routes.ts";
import { ownerRoutes } from "#services/api/features/owners/routes.ts";
import { ownershipRoutes } from "#services/api/features/ownership/routes.ts";
import { ownedRoutes } from "#services/api/features/owned/routes.ts";
import { ownerAssociationRoutes } from "#services/api/features/owner-associations/routes.ts";
import { personalTokenRoutes } from "#services/api/features/personal-tokens/routes.ts";
import { policyRoutes } from "#services/api/features/policies/routes.ts";
import { queryExampleRoutes } from "#services/api/features/query-examples/routes.ts";
import { qualityRoutes } from "#services/api/features/quality/routes.ts";
import { relationshipRoutes } from "#services/api/features/relationships/routes.ts";
import { renameRoutes } from "#services/api/features/renames/routes.ts";
import { roleRoutes } from "#services/api/features/roles/routes.ts";
import { runRoutes } from "#services/api/features/runs/routes.ts";
import { searchRoutes } from "#services/api/features/search/routes.ts";
import { statusRoutes } from "#services/api/features/statuses/routes.ts";
import { termRoutes } from "#services/api/features/terms/routes.ts";
import { uploadRoutes } from "#services/api/features/uploads/routes.ts";
import { tagRoutes } from "#services/api/features/tags/routes.ts";

/** A family of operations; `stop` answers the requests that still wait and ends what it started. */
export interface Feature {
  routes: Route[];
  stop?: () => void;
}

const openLineage = [
  intakeWarningRoutes,
  openLineageExportRoutes,
  openLineageNameRoutes,
  openLineageRunRoutes,
];

/** What several families and pages share; a process has one. */
export interface Shared {
  access: Access;
  lineage: LineageQueue;
}

/** Opens what the families of one process share; each call opens another. */
export function openShared(context: Context): Shared {
  return { access: openAccess(context), lineage: new LineageQueue(context) };
}

/** All families; adding one here adds it to the service and to its OpenAPI document. */
export function createFeatures(
  context: Context,
  { access, lineage }: Shared = openShared(context),
): Feature[] {
  const features: Feature[] = [
    ingestionRoutes(context),
    { routes: lineageRoutes(context, lineage) },
    { routes: ownedRoutes(context) },
    { routes: dataEntityRoutes(context) },
    { routes: alertRoutes(context, access) },
    { routes: activityRoutes(context) },
    { routes: assetRoutes(context) },
    { routes: assetHealthRoutes(context) },
    { routes: attachmentRoutes(context) },
    { routes: auditRoutes(context) },
    changeRoutes(context, { access }),
    { routes: datasetRoutes(context) },
    { routes: datasetFieldRoutes(context) },
    { routes: descriptionRoutes(context) },
    { routes: customMetadataRoutes(context) },
    { routes: expiryRoutes(context) },
    genAiRoutes(context),
    { routes: groupRoutes(context) },
    { routes: integrationRoutes(context) },
    { routes: linkRoutes(context) },
    { routes: mergingRoutes(context, access) },
    { routes: lookupTableRoutes(context, access) },
    { routes: messageRoutes(context) },
    { routes: metricRoutes(context) },
    { routes: notificationRoutes(context) },
    lineageIntakeRoutes(context),
    datahubRoutes(context),
    { routes: openLineage.flatMap((of) => of(context)) },
    opsRoutes(context),
    { routes: queryExampleRoutes(context) },
    { routes: qualityRoutes(context) },
    { routes: relationshipRoutes(context) },
    { routes: runRoutes(context) },
    { routes: searchRoutes(context) },
    { routes: statusRoutes(context, access) },
    { routes: namespaceRoutes(context) },
    { routes: dataSourceRoutes(context) },
    { routes: collectorRoutes(context) },
    { routes: [connectionRoutes, renameRoutes, uploadRoutes].flatMap((of) => of(context)) },
    { routes: directoryRoutes(context) },
    { routes: ownerRoutes(context, access) },
    { routes: ownershipRoutes(context, access) },
    { routes: tagRoutes(context) },
    { routes: termRoutes(context) },
    { routes: policyRoutes(context) },
    { routes: roleRoutes(context) },
    { routes: identityRoutes(context, access.authorizer) },
    { routes: personalTokenRoutes(context) },
    { routes: ownerAssociationRoutes(context, access) },
    demonstrationRoutes(context, access, () => features.flatMap(({ routes }) => routes)),
  ];
  return features;
}
