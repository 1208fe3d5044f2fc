/**
 * The release of DataHub's server whose interface is served. Clients choose by it what they send: from 1.0.1 on some
 * post to another interface, which is not served.
 */
export const servedVersion = "v1.0.0";

/** What clients check before they send anything. */
export function configOf() {
  return {
    noCode: "true",
    models: {},
    versions: { "acryldata/datahub": { version: servedVersion, commit: "" } },
    datahub: { serverType: "prod", serverEnv: "core" },
    statefulIngestionCapable: true,
    patchCapable: true,
    supportsImpactAnalysis: false,
    managedIngestion: { enabled: false },
    telemetry: { enabledCli: false },
    retention: "true",
  };
}
