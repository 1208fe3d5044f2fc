import { expect } from "vitest";
import type { Database } from "#metadata/postgres/database.ts";
import { Config } from "#platform/config/schema.ts";
import { attachmentRoutes } from "#services/api/features/attachments/routes.ts";
import { DataEntityFile } from "#services/api/features/attachments/schemas.ts";
import { removePieces } from "#services/housekeeping/attachments.ts";
import { TestStorage } from "#test/support/engines/storage.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

/** Bytes of the file that `fields` names, or of text. */
export type Content = string | Uint8Array;

/** A multipart body of these parts; `file` becomes a file. */
export async function multipart(fields: [name: string, content: Content][]) {
  const form = new FormData();
  for (const [name, content] of fields) {
    if (name === "file") form.append(name, new Blob([content as BlobPart]), "chunk");
    else form.append(name, String(content));
  }
  const response = new Response(form);
  const body = new Uint8Array(await response.arrayBuffer());
  return { body, headers: { "content-type": response.headers.get("content-type")! } };
}

/** Attachments over a storage of the test's own. Limits: 1 MB, 5 files and 4 links of an entity. */
export function attachmentsUnderTest(given: object = {}) {
  const storage = new TestStorage();
  const attachment = { "max-file-size": 1, "max-files": 5, "max-links": 4, ...given };
  const config = Config.parse({ attachment });
  const at = featureUnderTest((context) => attachmentRoutes({ ...context, storage, config }));
  const pathOf = (entity: number, rest = "") => `/api/dataentities/${entity}${rest}`;
  const begin = async (entity: number, fileName = "a.bin") => {
    const answer = await at.api.post(pathOf(entity, "/files/uploads"), { fileName });
    expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
    return { entity, upload: answer.json.id as string };
  };
  type Ref = Awaited<ReturnType<typeof begin>>;
  const path = ({ entity, upload }: Ref) => pathOf(entity, `/files/uploads/${upload}`);
  const sendChunks = async (ref: Ref, fields: [string, Content][]) => {
    const { body, headers } = await multipart(fields);
    return await at.api.send("POST", `${path(ref)}/chunks`, body, headers);
  };
  const send = (ref: Ref, index: number | string, content: Content) =>
    sendChunks(ref, [["file", content], ["index", String(index)]]);
  const complete = (ref: Ref) => at.api.put(path(ref));
  const attach = async (entity: number, content: Content, name?: string) => {
    const ref = await begin(entity, name);
    expect((await send(ref, 0, content)).status).toBe(200);
    return DataEntityFile.parse((await complete(ref)).json);
  };
  return {
    ...{ api: at.api, database: at.database, storage, pathOf },
    ...{ begin, send, sendChunks, complete, attach },
    get context() {
      return at.context;
    },
    entity: (more: Parameters<typeof seedEntity>[1] = {}) => seedEntity(at.database.db, more),
    list: async (entity: number) => (await at.api.get(pathOf(entity, "/attachments"))).json,
    download: (entity: number, id: number) => at.api.get(pathOf(entity, `/files/${id}`)),
    /** Removes what belongs to no file, as housekeeping does at this time. */
    sweep: (now = new Date("2100-01-01T00:00:00Z")) => swept(at.context, storage, now),
    pieces: () => pieces(at.database.db),
  };
}

async function swept(
  context: Parameters<typeof removePieces>[0],
  storage: TestStorage,
  now: Date,
): Promise<number> {
  const counts = await Array.fromAsync(removePieces({ ...context, storage }, now));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Pieces that the database knows: of files, and of none. */
async function pieces(db: Database): Promise<{ stored: number; spare: number }> {
  const [row] = await db.query<{ stored: number; spare: number }>(
    `SELECT count(file_id)::integer AS stored, count(*) FILTER (WHERE file_id IS NULL)::integer AS spare
       FROM attachment_piece`,
  );
  return row!;
}
