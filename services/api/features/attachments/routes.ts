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

const entity = "/api/dataentities/{data_entity_id}";
const data_entity_id = idParam("data_entity_id");
const all = { tag: "dataEntityAttachment", params: z.object({ data_entity_id }) };
const oneFile = {
  ...all,
  path: `${entity}/files/{file_id}`,
  params: z.object({ data_entity_id, file_id: idParam("file_id") }),
};
const oneLink = {
  ...all,
  path: `${entity}/links/{link_id}`,
  params: z.object({ data_entity_id, link_id: idParam("link_id") }),
};
const oneUpload = {
  ...all,
  path: `${entity}/files/uploads/{upload_id}`,
  params: z.object({
    data_entity_id,
    upload_id: z.uuid({ error: "must be a UUID" }).transform((id) => id.toLowerCase()).openapi({
      param: { name: "upload_id", in: "path", required: true },
      type: "string",
      format: "uuid",
    }),
  }),
};
const managed = {
  access: {
    permission: "DATA_ENTITY_ATTACHMENT_MANAGE",
    on: "DATA_ENTITY",
    of: entityOfPath,
  },
  activity: { none: "the feed knows no event of attachments" },
} as const;

const getAttachments = operation({
  ...all,
  id: "getAttachments",
  method: "get",
  path: `${entity}/attachments`,
  summary: "Files and links of an entity, in the order in which they were made",
  access: "signed-in",
  responses: { 200: { description: "All of them", schema: DataEntityAttachments } },
});

const getUploadOptions = operation({
  ...all,
  id: "getUploadOptions",
  method: "get",
  path: `${entity}/files/uploads`,
  summary: "How large a file may be, in bytes",
  access: "signed-in",
  responses: { 200: { description: "The limit", schema: DataEntityUploadOptions } },
});

const initiateFileUpload = operation({
  ...all,
  ...managed,
  id: "initiateFileUpload",
  method: "post",
  path: `${entity}/files/uploads`,
  summary: "Start to upload a file; an upload that is not completed within a day is aborted",
  body: DataEntityUploadForm,
  responses: { 200: { description: "The upload", schema: DataEntityUpload } },
});

const uploadFileChunk = operation({
  ...oneUpload,
  ...managed,
  id: "uploadFileChunk",
  method: "post",
  path: `${oneUpload.path}/chunks`,
  summary: "Send a chunk of a file, in any order; one of the same index is replaced",
  rawBody: DataEntityFileChunkForm,
  bodyType: "multipart",
  responses: { 200: { description: "Taken" } },
  errors: [404, 413],
});

const completeFileUpload = operation({
  ...oneUpload,
  ...managed,
  id: "completeFileUpload",
  method: "put",
  summary: "Make the chunks a file of the entity; harmless when repeated",
  responses: { 200: { description: "The file", schema: DataEntityFile } },
});

const cancelFileUpload = operation({
  ...oneUpload,
  ...managed,
  id: "cancelFileUpload",
  method: "delete",
  summary: "Give up an upload that is not complete; its bytes are removed",
  responses: { 204: { description: "Aborted" } },
});

const downloadFile = operation({
  ...oneFile,
  id: "downloadFile",
  method: "get",
  summary: "The bytes of a file, for a browser to save",
  access: "signed-in",
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
  ...oneFile,
  ...managed,
  id: "deleteFile",
  method: "delete",
  summary: "Delete a file",
  responses: { 204: { description: "Deleted" } },
});

const saveLinks = operation({
  ...all,
  ...managed,
  id: "saveLinks",
  method: "post",
  path: `${entity}/links`,
  summary: "Add links to an entity",
  body: DataEntityLinkListForm,
  responses: {
    200: { description: "The new links", schema: z.array(DataEntityLink) },
  },
});

const updateLink = operation({
  ...oneLink,
  ...managed,
  id: "updateLink",
  method: "put",
  summary: "Change a link",
  body: DataEntityLinkForm,
  responses: { 200: { description: "The link", schema: DataEntityLink } },
});

const deleteLink = operation({
  ...oneLink,
  ...managed,
  id: "deleteLink",
  method: "delete",
  summary: "Delete a link",
  responses: { 204: { description: "Deleted" } },
});
