import { z } from "@hono/zod-openapi";
import { idParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import { entityOfPath } from "#services/api/access/resources.ts";
import {
  DataEntityAttachments,
  DataEntityFile,
  DataEntityFileChunkForm,
  DataEntityLink,
  DataEntityLinkForm,
  DataEntityLinkListForm,
  DataEntityUpload,
  DataEntityUploadForm,
  DataEntityUploadOptions,
  knownTypes,
  unknownType,
} from "#services/api/features/attachments/schemas.ts";
import * as service from "#services/api/features/attachments/service.ts";

/** Files and links of data entities. */
export function attachmentRoutes(context: Context): Route[] {
  return [...fileRoutes(context), ...linkRoutes(context)];
}

function fileRoutes(context: Context): Route[] {
  const transfers = service.createTransfers(context);
  const refOf = (params: { data_entity_id: number; upload_id: string }) => ({
    entityId: params.data_entity_id,
    uploadId: params.upload_id,
  });
  return [
    serve(getUploadOptions, async ({ params }) => {
      await service.requireEntityThere(context, params.data_entity_id);
      return ok({ maxSize: service.maxFileBytes(context) });
    }),
    serve(initiateFileUpload, async ({ params, body, actor }) => {
      const { data_entity_id } = params;
      return ok({ id: await transfers.begin(actor, data_entity_id, body.fileName) });
    }),
    serve(uploadFileChunk, async ({ params, actor, request }) => {
      await transfers.upload(actor, refOf(params), request);
      return { status: 200 };
    }),
    serve(
      completeFileUpload,
      ({ params, actor }) => service.completeUpload(context, actor, refOf(params)),
    ),
    serve(
      cancelFileUpload,
      ({ params, actor }) => service.cancelUpload(context, actor, refOf(params)),
    ),
    serve(
      downloadFile,
      ({ params, actor }) => transfers.download(actor, params.data_entity_id, params.file_id),
    ),
    serve(
      deleteFile,
      ({ params, actor }) =>
        service.deleteFile(context, actor, params.data_entity_id, params.file_id),
    ),
  ];
}

function linkRoutes(context: Context): Route[] {
  return [
    serve(getAttachments, ({ params }) => service.attachmentsOf(context, params.data_entity_id)),
    serve(
      saveLinks,
      ({ params, body, actor }) =>
        service.addLinks(context, actor, params.data_entity_id, body.items),
    ),
    serve(updateLink, ({ params, body, actor }) => {
      const { data_entity_id, link_id } = params;
      return service.changeLink(context, actor, data_entity_id, link_id, body);
    }),
    serve(
      deleteLink,
      ({ params, actor }) =>
        service.removeLink(context, actor, params.data_entity_id, params.link_id),
    ),
  ];
}

const common = { tag: "dataEntityAttachment" };
const entity = "/api/dataentities/{data_entity_id}";
const data_entity_id = idParam("data_entity_id");
const params = z.object({ data_entity_id });
const fileParams = z.object({ data_entity_id, file_id: idParam("file_id") });
const linkParams = z.object({ data_entity_id, link_id: idParam("link_id") });
const uploadParams = z.object({
  data_entity_id,
  upload_id: z.uuid({ error: "must be a UUID" }).transform((id) => id.toLowerCase()).openapi({
    param: { name: "upload_id", in: "path", required: true },
    type: "string",
    format: "uuid",
  }),
});
const managed = {
  access: {
    permission: "DATA_ENTITY_ATTACHMENT_MANAGE",
    on: "DATA_ENTITY",
    of: entityOfPath,
  },
  activity: { none: "the feed knows no event of attachments" },
} as const;

const getAttachments = operation({
  ...common,
  id: "getAttachments",
  method: "get",
  path: `${entity}/attachments`,
  summary: "Files and links of an entity, in the order in which they were made",
  access: "signed-in",
  params,
  responses: { 200: { description: "All of them", schema: DataEntityAttachments } },
});

const getUploadOptions = operation({
  ...common,
  id: "getUploadOptions",
  method: "get",
  path: `${entity}/files/uploads`,
  summary: "How large a file may be, in bytes",
  access: "signed-in",
  params,
  responses: { 200: { description: "The limit", schema: DataEntityUploadOptions } },
});

const initiateFileUpload = operation({
  ...common,
  ...managed,
  id: "initiateFileUpload",
  method: "post",
  path: `${entity}/files/uploads`,
  summary: "Start to upload a file; an upload that is not completed within a day is aborted",
  params,
  body: DataEntityUploadForm,
  responses: { 200: { description: "The upload", schema: DataEntityUpload } },
});

const uploadFileChunk = operation({
  ...common,
  ...managed,
  id: "uploadFileChunk",
  method: "post",
  path: `${entity}/files/uploads/{upload_id}/chunks`,
  summary: "Send a chunk of a file, in any order; one of the same index is replaced",
  params: uploadParams,
  rawBody: DataEntityFileChunkForm,
  bodyType: "multipart",
  responses: { 200: { description: "Taken" } },
  errors: [404, 413],
});

const completeFileUpload = operation({
  ...common,
  ...managed,
  id: "completeFileUpload",
  method: "put",
  path: `${entity}/files/uploads/{upload_id}`,
  summary: "Make the chunks a file of the entity; harmless when repeated",
  params: uploadParams,
  responses: { 200: { description: "The file", schema: DataEntityFile } },
});

const cancelFileUpload = operation({
  ...common,
  ...managed,
  id: "cancelFileUpload",
  method: "delete",
  path: `${entity}/files/uploads/{upload_id}`,
  summary: "Give up an upload that is not complete; its bytes are removed",
  params: uploadParams,
  responses: { 204: { description: "Aborted" } },
});

const downloadFile = operation({
  ...common,
  id: "downloadFile",
  method: "get",
  path: `${entity}/files/{file_id}`,
  summary: "The bytes of a file, for a browser to save",
  access: "signed-in",
  params: fileParams,
  responses: {
    200: {
      description: "The file, with the content type detected from its first bytes",
      schema: z.string().openapi({ format: "binary" }),
      contentType: [unknownType, ...knownTypes],
      headers: {
        "Content-Disposition": "attachment, with the name of the file (RFC 6266)",
        "Content-Length": "Bytes of the file",
      },
    },
  },
});

const deleteFile = operation({
  ...common,
  ...managed,
  id: "deleteFile",
  method: "delete",
  path: `${entity}/files/{file_id}`,
  summary: "Delete a file",
  params: fileParams,
  responses: { 204: { description: "Deleted" } },
});

const saveLinks = operation({
  ...common,
  ...managed,
  id: "saveLinks",
  method: "post",
  path: `${entity}/links`,
  summary: "Add links to an entity",
  params,
  body: DataEntityLinkListForm,
  responses: {
    200: { description: "The new links", schema: z.array(DataEntityLink) },
  },
});

const updateLink = operation({
  ...common,
  ...managed,
  id: "updateLink",
  method: "put",
  path: `${entity}/links/{link_id}`,
  summary: "Change a link",
  params: linkParams,
  body: DataEntityLinkForm,
  responses: { 200: { description: "The link", schema: DataEntityLink } },
});

const deleteLink = operation({
  ...common,
  ...managed,
  id: "deleteLink",
  method: "delete",
  path: `${entity}/links/{link_id}`,
  summary: "Delete a link",
  params: linkParams,
  responses: { 204: { description: "Deleted" } },
});
