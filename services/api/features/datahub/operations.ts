import { z } from "@hono/zod-openapi";
import { textQuery } from "#contract/http.ts";
import { eventJsonLimits } from "#contract/openlineage/json.ts";
import { StorableText } from "#contract/text.ts";
import { AppError } from "#kit/errors.ts";
import type { Rejection } from "#platform/datahub/proposals.ts";
import { maxSchemaId } from "#platform/datahub/schemas.ts";
import { operation } from "#platform/operations/declare.ts";
import { maxNamed, maxProposals } from "./bodies.ts";

/** An error as the server of DataHub answers it. */
const errorBody = {
  schema: z.object({ exceptionClass: z.string(), message: z.string(), status: z.number().int() })
    .openapi("DataHubError"),
  of: ({ status, message }: { status: number; message: string }) => (
    { exceptionClass: "com.linkedin.restli.server.RestLiServiceException", message, status }
  ),
};

const root = "/integrations/datahub";
const common = { document: "ingestion", tag: "datahub", access: "collector", errorBody } as const;
const posted = {
  ...common,
  method: "post",
  activity: { none: "the consumer records what the batch changes" },
  bodyType: "events",
} as const;
const errors = [408, 413, 415];

const anything = z.record(z.string(), z.unknown());
const body = anything.openapi("DataHubBody", { maxProperties: eventJsonLimits.members });
const answer = anything.openapi("DataHubAnswer");
const stored = { 200: { description: "Stored: `{value: urn}`", schema: answer } };
const found = (description: string) => ({ 200: { description, schema: answer } });
const urnParams = z.object({ urn: StorableText.max(2_000) });

export const getConfig = operation({
  ...common,
  id: "getDataHubConfig",
  method: "get",
  path: `${root}/config`,
  summary: "What clients of DataHub ask before they send anything",
  responses: found("What this server can do, as DataHub answers it"),
});

export const postAspects = operation({
  ...posted,
  id: "postDataHubAspects",
  path: `${root}/aspects`,
  summary: "Take aspects as DataHub's REST sink posts them, or read entries of a time series",
  query: z.object({
    action: z.enum(["ingestProposal", "ingestProposalBatch", "getTimeseriesAspectValues"]),
  }),
  rawBody: body,
  errors,
  responses: stored,
});

export const getAspect = operation({
  ...common,
  id: "getDataHubAspect",
  method: "get",
  path: `${root}/aspects/{urn}`,
  summary: "The newest value of an aspect of an entity",
  params: urnParams,
  query: z.object({ aspect: StorableText.max(200), version: textQuery("version") }),
  responses: found("The aspect, under the name of its class"),
});

export const postEntities = operation({
  ...posted,
  id: "postDataHubEntities",
  path: `${root}/entities`,
  summary: "Take entities as older clients of DataHub post them, or delete one",
  query: z.object({ action: z.enum(["ingest", "batchIngest", "delete"]) }),
  rawBody: body,
  errors,
  responses: stored,
});

export const getEntity = operation({
  ...common,
  id: "getDataHubEntity",
  method: "get",
  path: `${root}/entitiesV2/{urn}`,
  summary: "The stored aspects of an entity",
  params: urnParams,
  query: z.object({ aspects: textQuery("aspects") }),
  responses: found("Its aspects; none where nothing is stored"),
  errors: [],
});

export const listEntities = operation({
  ...common,
  id: "listDataHubEntities",
  method: "get",
  path: `${root}/openapi/v3/entity/{type}`,
  summary: "Entities of a type: none, or 501, since they are not searched",
  params: z.object({ type: StorableText.max(100) }),
  responses: found("No entity of this type is stored"),
  errors: [501],
});

export const getEntityV3 = operation({
  ...common,
  id: "getDataHubEntityV3",
  method: "get",
  path: `${root}/openapi/v3/entity/{type}/{urn}`,
  summary: "The stored aspects of an entity",
  params: z.object({ type: StorableText.max(100), urn: StorableText.max(2_000) }),
  query: z.object({
    aspects: z.union([
      StorableText.max(2_000),
      z.array(StorableText.max(200)).max(100),
    ]).optional(),
  }),
  responses: found("Its aspects by name"),
});

export const batchGet = operation({
  ...posted,
  id: "batchGetDataHubEntities",
  path: `${root}/openapi/v3/entity/{type}/batchGet`,
  summary: "Stored aspects of several entities",
  params: z.object({ type: StorableText.max(100) }),
  rawBody: z.array(body).max(maxProposals).openapi("DataHubBatchGet"),
  errors,
  responses: { 200: { description: "Those that are stored", schema: z.array(answer) } },
  reads: true,
});

const registry = `${root}/schema-registry/api`;

export const registerSchema = operation({
  ...posted,
  id: "registerDataHubSchema",
  path: `${registry}/subjects/{subject}/versions`,
  summary: "Register an Avro schema, as Kafka sinks of DataHub do before they write",
  params: z.object({ subject: StorableText.max(500) }),
  rawBody: body,
  errors: [...errors, 422],
  responses: { 200: { description: "The id of the schema: `{id}`", schema: answer } },
});

export const getSchema = operation({
  ...common,
  id: "getDataHubSchema",
  method: "get",
  path: `${registry}/schemas/ids/{id}`,
  summary: "An Avro schema that was registered here",
  params: z.object({ id: z.coerce.number().int().min(0).max(maxSchemaId) }),
  responses: found("The schema: `{schema}`, in JSON"),
});

/** 400 that names the rejected proposals; the others are stored. Each is named by its aspect and its urn. */
export function rejectedError(rejected: Rejection[], accepted: number): AppError {
  const named = rejected.slice(0, maxNamed).map(({ urn, aspect, reason }) =>
    `${aspect || "an aspect"} of ${urn || "an entity"}: ${reason}`
  );
  const more = rejected.length > maxNamed ? `; and ${rejected.length - maxNamed} more` : "";
  const others = accepted === 0 ? "" : ` The other ${accepted} were stored.`;
  const what = rejected.length === 1 ? "1 aspect was" : `${rejected.length} aspects were`;
  return new AppError(`${what} rejected: ${named.join("; ")}${more}.${others}`, {
    status: 400,
    code: "USR001",
    resolvable: true,
  });
}
