import type { Context } from "#platform/context.ts";
import { type Route, serve } from "#platform/operations/declare.ts";
import { noContent, ok, okJson } from "#platform/operations/reply.ts";
import * as operations from "#services/api/features/attachments/operations.ts";
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
    serve(operations.getUploadOptions, async ({ params }) => {
      await service.requireEntityThere(context, params.data_entity_id);
      return ok({ maxSize: service.maxFileBytes(context) });
    }),
    serve(operations.initiateFileUpload, async ({ params, body, actor }) => {
      const { data_entity_id } = params;
      return ok({ id: await transfers.begin(actor, data_entity_id, body.fileName) });
    }),
    serve(operations.uploadFileChunk, async ({ params, actor, request }) => {
      await transfers.upload(actor, refOf(params), request);
      return { status: 200 };
    }),
    serve(
      operations.completeFileUpload,
      async ({ params, actor }) =>
        okJson(await service.completeUpload(context, actor, refOf(params))),
    ),
    serve(operations.cancelFileUpload, async ({ params, actor }) => {
      await service.cancelUpload(context, actor, refOf(params));
      return noContent();
    }),
    serve(
      operations.downloadFile,
      ({ params, actor }) => transfers.download(actor, params.data_entity_id, params.file_id),
    ),
    serve(operations.deleteFile, async ({ params, actor }) => {
      await service.deleteFile(context, actor, params.data_entity_id, params.file_id);
      return noContent();
    }),
  ];
}

function linkRoutes(context: Context): Route[] {
  return [
    serve(
      operations.getAttachments,
      async ({ params }) => okJson(await service.attachmentsOf(context, params.data_entity_id)),
    ),
    serve(
      operations.saveLinks,
      async ({ params, body, actor }) =>
        okJson(await service.addLinks(context, actor, params.data_entity_id, body.items)),
    ),
    serve(operations.updateLink, async ({ params, body, actor }) => {
      const { data_entity_id, link_id } = params;
      return okJson(await service.changeLink(context, actor, data_entity_id, link_id, body));
    }),
    serve(operations.deleteLink, async ({ params, actor }) => {
      await service.removeLink(context, actor, params.data_entity_id, params.link_id);
      return noContent();
    }),
  ];
}
