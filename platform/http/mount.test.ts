import { z } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import { AppError } from "#kit/errors.ts";
import { type Authorizer, openAccess } from "#platform/operations/access.ts";
import { ok, operation, serve } from "#platform/operations/declare.ts";
import { openApiOf } from "#platform/operations/openapi.ts";
import { testApi } from "#test/support/http/api.ts";

const common = { tag: "file", document: "platform", activity: { none: "a test" } } as const;
const upload = operation({
  ...common,
  id: "uploadFile",
  method: "post",
  path: "/api/files",
  summary: "Takes a file",
  access: { permission: "TAG_CREATE", on: "MANAGEMENT" },
  bodyType: "multipart",
  maxBodyBytes: 6_000_000,
  body: z.object({
    name: z.string(),
    file: z.instanceof(File).openapi({ type: "string", format: "binary" }),
  }),
  responses: { 200: { description: "Taken", schema: z.array(z.string()) } },
});
const download = operation({
  ...common,
  id: "downloadFile",
  method: "get",
  path: "/api/files",
  summary: "Answers a file",
  access: "anonymous",
  responses: { 200: { description: "The file", contentType: "text/plain" } },
});
const routes = [
  serve(upload, async ({ body }) => ok([body.name, body.file.name, await body.file.text()])),
  serve(download, () =>
    Promise.resolve({
      status: 200,
      raw: {
        content: ReadableStream.from([new Uint8Array([104]), new Uint8Array([105])]),
        contentType: "text/plain",
      },
    })),
];
const api = testApi(routes);

async function sent(form: FormData) {
  const request = new Request("http://localhost", { method: "POST", body: form });
  const body = new Uint8Array(await request.arrayBuffer());
  return await api.send("POST", "/api/files", body, {
    "content-type": request.headers.get("content-type")!,
  });
}

function formOf(text: string): FormData {
  const form = new FormData();
  form.set("name", "notes");
  form.set("file", new File([text], "notes.txt"));
  return form;
}

describe("an operation over HTTP", () => {
  it("takes files in a multipart body, up to a limit of its own", async () => {
    expect((await sent(formOf("hello"))).json).toEqual(["notes", "notes.txt", "hello"]);
    expect((await sent(formOf("x".repeat(5_500_000)))).status).toBe(200);
    const { status, json } = await sent(formOf("x".repeat(6_000_000)));
    expect([status, json.message]).toEqual([400, "The body is larger than 6000000 bytes"]);
  });

  it("names what is wrong with a multipart body", async () => {
    const form = new FormData();
    form.set("name", "notes");
    expect((await sent(form)).json.details).toMatchObject([{ field: "file" }]);
    const type = { "content-type": "multipart/form-data; boundary=x" };
    const broken = await api.send("POST", "/api/files", "no parts", type);
    expect([broken.status, broken.json.code]).toEqual([400, "USR001"]);
    expect((await api.post("/api/files", { name: "x" })).status).toBe(415);
  });

  it("streams its answer", async () => {
    const { text, headers } = await api.get("/api/files");
    expect([text, headers.get("content-type")]).toEqual(["hi", "text/plain"]);
  });

  it("tells what makes its answer that HEAD reads none of it", async () => {
    const cancelled = Promise.withResolvers<void>();
    const content = () => new ReadableStream({ cancel: () => cancelled.resolve() });
    const headers = { "content-length": "2" };
    const endless = serve(download, () =>
      Promise.resolve({
        status: 200,
        raw: { content: content(), contentType: "text/plain" },
        headers,
      }));
    const answer = await testApi([endless]).send("HEAD", "/api/files");
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expect(answer.headers.get("content-length")).toBe("2");
    expect(answer.headers.get("content-type")).toBe("text/plain");
    await cancelled.promise;
  });

  it("asks the authorizer that it was given", async () => {
    const authorizer: Authorizer = {
      authorize: (_, needed) =>
        needed === "anonymous"
          ? Promise.resolve()
          : Promise.reject(new AppError("Sign in first", { status: 401, code: "USR001" })),
      authorizeEntities: () => Promise.resolve(),
      permissionsOf: () => Promise.resolve([]),
      permissionsOn: () => Promise.resolve([]),
    };
    const closed = testApi(routes, {}, { access: { ...openAccess, authorizer } });
    expect((await closed.get("/api/files")).status).toBe(200);
    const form = new Request("http://localhost", { method: "POST", body: formOf("x") });
    const type = form.headers.get("content-type")!;
    const body = new Uint8Array(await form.arrayBuffer());
    const refused = await closed.send("POST", "/api/files", body, { "content-type": type });
    expect([refused.status, refused.json.message]).toEqual([401, "Sign in first"]);
  });
});

it("the document derives errors and security from the access that an operation needs", () => {
  const document = openApiOf(routes, { title: "", version: "" }) as {
    paths: Record<
      string,
      Record<string, { security?: object[]; responses: object; requestBody?: { content: object } }>
    >;
  };
  const { post, get } = document.paths["/api/files"]!;
  expect(Object.keys(post!.responses)).toEqual(expect.arrayContaining(["401", "403"]));
  expect(post!.security).toEqual([{}, { session: [] }, { serviceKey: [] }, { personalToken: [] }]);
  expect(Object.keys(post!.requestBody!.content)).toEqual(["multipart/form-data"]);
  expect(Object.keys(get!.responses)).not.toContain("401");
  expect(get).not.toHaveProperty("security");
});
