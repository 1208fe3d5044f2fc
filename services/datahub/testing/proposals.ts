/** A proposal as DataHub's REST sink posts it; `at`: when it was observed. */
export function aspect(urn: string, aspectName: string, value: unknown, at?: number) {
  return {
    entityUrn: urn,
    entityType: urn.split(":")[2],
    changeType: "UPSERT",
    aspectName,
    aspect: { value: JSON.stringify(value), contentType: "application/json" },
    ...(at === undefined ? {} : { systemMetadata: { lastObserved: at, runId: "test" } }),
  };
}

/** A proposal that patches an aspect by these steps: `+/path` with a value, or `-/path`. */
export function patch(urn: string, name: string, steps: [string, unknown?][], at?: number) {
  const made = steps.map(([path, value]) => (
    path.startsWith("+")
      ? { op: "add", path: path.slice(1), value }
      : { op: "remove", path: path.slice(1), value: {} }
  ));
  return { ...aspect(urn, name, made, at), changeType: "PATCH" };
}

/** A dataset of PostgreSQL. */
export const table = (name: string, env = "PROD") =>
  `urn:li:dataset:(urn:li:dataPlatform:postgres,${name},${env})`;

/** A field of a dataset. */
export const field = (dataset: string, path: string) => `urn:li:schemaField:(${dataset},${path})`;

/** Aspects of a table with these columns. */
export function tableAspects(urn: string, columns: string[], at?: number) {
  return [
    aspect(urn, "status", { removed: false }, at),
    aspect(urn, "datasetProperties", { name: urn.split(",")[1]!.split(".").at(-1) }, at),
    aspect(urn, "schemaMetadata", {
      schemaName: "s",
      fields: columns.map((name) => ({
        fieldPath: name,
        nullable: true,
        type: { type: { "com.linkedin.schema.NumberType": {} } },
        nativeDataType: "INTEGER",
      })),
    }, at),
  ];
}
