import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import { DescribedFile, describeFile, FileDescriptionForm, maxPart } from "./service.ts";

/** Bytes of a multipart body around its file. */
const maxAround = 64 * 1024;

const describeSpec = operation({
  id: "describeFile",
  method: "post",
  path: "/api/files/describe",
  tag: "connection",
  summary: "Make a file a dataset with its fields; its content is not stored",
  access: { permission: "CONNECTION_MANAGE", on: "MANAGEMENT" },
  activity: {
    none: "the batch that brings the dataset records what it changes; the upload is audited",
  },
  body: FileDescriptionForm,
  bodyType: "multipart",
  maxBodyBytes: maxPart + maxAround,
  responses: {
    200: { description: "The dataset that will be there shortly", schema: DescribedFile },
  },
});

/** The operation that describes uploaded files. */
export function uploadRoutes(context: Context): Route[] {
  return [
    serve(describeSpec, async ({ body, actor }) => ok(await describeFile(context, actor, body))),
  ];
}
