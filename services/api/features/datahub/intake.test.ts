import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAccess } from "#services/api/access/service.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { openTestIngestion, type TestIngestion } from "#test/support/http/ingestion.ts";
import { datahubRoutes } from "./routes.ts";

const root = "/integrations/datahub";
const proposals = `${root}/aspects?action=ingestProposalBatch`;
const urn = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.orders,PROD)";

let database: TestDatabase;
let ingestion: TestIngestion;
beforeAll(async () => {
  database = await testDatabase();
  ingestion = openTestIngestion(database, { access: openAccess, open: datahubRoutes });
});
afterAll(async () => {
  await ingestion.close();
  await database.drop();
});

const aspect = (aspectName: string, value: unknown, entityUrn = urn) => ({
  entityUrn,
  entityType: "dataset",
  changeType: "UPSERT",
  aspectName,
  aspect: { value: JSON.stringify(value), contentType: "application/json" },
});
const post = (path: string, body: unknown, headers: HeadersInit = {}) =>
  ingestion.api.send(
    "POST",
    path,
    typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
    headers,
  );
const get = (path: string) => ingestion.api.send("GET", path);
const stored = async (entity: string) =>
  (await database.db.query<{ aspect: string }>(
    "SELECT aspect FROM dh_aspect WHERE urn = $1 ORDER BY 1",
    [entity],
  ))
    .map((row) => row.aspect);

it("tells clients what they check before they send anything", async () => {
  const { text } = await get(`${root}/config`);
  expect(JSON.parse(text)).toMatchObject({
    noCode: "true",
    versions: { "acryldata/datahub": { version: "v1.0.0" } },
    datahub: { serverType: "prod" },
    statefulIngestionCapable: true,
  });
});

describe("aspects", () => {
  it("are stored before they are answered, compressed or not, and read again", async () => {
    const one = { proposal: aspect("datasetProperties", { name: "orders" }) };
    const answer = await post(`${root}/aspects?action=ingestProposal`, one);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { value: urn }]);
    const packed = gzipSync(JSON.stringify({ proposals: [aspect("globalTags", { tags: [] })] }));
    expect((await post(proposals, packed, { "content-encoding": "gzip" })).status).toBe(200);
    expect(await stored(urn)).toEqual(["datasetProperties", "globalTags"]);
    const read = await get(
      `${root}/aspects/${encodeURIComponent(urn)}?aspect=datasetProperties&version=0`,
    );
    expect(JSON.parse(read.text)).toEqual({
      version: 0,
      aspect: { "com.linkedin.dataset.DatasetProperties": { name: "orders" } },
    });
    const whole = await get(
      `${root}/entitiesV2/${encodeURIComponent(urn)}?aspects=List(globalTags)`,
    );
    expect(Object.keys(JSON.parse(whole.text).aspects)).toEqual(["globalTags"]);
  });

  it("that are wrong are named as DataHub answers, and cost only themselves", async () => {
    const other = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.users,PROD)";
    const body = {
      proposals: [
        aspect("status", { removed: false }, other),
        {
          ...aspect("schemaMetadata", {}, other),
          aspect: { value: "{no json", contentType: "application/json" },
        },
        aspect("globalTags", { tags: [] }, "no urn"),
      ],
    };
    const answer = await post(proposals, body);
    const error = JSON.parse(answer.text);
    expect([answer.status, error.status, Object.keys(error).sort()]).toEqual([
      400,
      400,
      ["exceptionClass", "message", "status"],
    ]);
    expect(error.message).toMatch(
      /^2 aspects were rejected: schemaMetadata of urn:li:dataset.*globalTags of no urn.*The other 1 were stored\.$/,
    );
    expect(await stored(other)).toEqual(["status"]);
  });

  it("of older clients come as snapshots", async () => {
    const entity = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.old,PROD)";
    const aspects = [{ "com.linkedin.common.Status": { removed: false } }, {
      "com.linkedin.schema.SchemaMetadata": { fields: [] },
    }];
    const body = {
      entity: {
        value: { "com.linkedin.metadata.snapshot.DatasetSnapshot": { urn: entity, aspects } },
      },
    };
    expect((await post(`${root}/entities?action=ingest`, body)).status).toBe(200);
    expect(await stored(entity)).toEqual(["schemaMetadata", "status"]);
  });

  it("that nothing becomes of are stored, and listed on the screen of rejected events", async () => {
    const resource = "urn:li:platformResource:1";
    expect(
      (await post(proposals, { proposals: [aspect("platformResourceInfo", { x: 1 }, resource)] }))
        .status,
    ).toBe(200);
    expect(await stored(resource)).toEqual(["platformResourceInfo"]);
    await expect.poll(() =>
      database.db.query("SELECT kind, name FROM openlineage_complaint WHERE kind = 'not_mapped'")
    )
      .toEqual([{ kind: "not_mapped", name: "platformResourceInfo" }]);
  });

  it("that are a list of what happened are answered newest first, by their members", async () => {
    const job = "urn:li:dataJob:(urn:li:dataFlow:(datahub,p,prod),default)";
    const checkpoint = (timestampMillis: number, pipelineName: string) =>
      aspect("datahubIngestionCheckpoint", { timestampMillis, pipelineName }, job);
    const all = [checkpoint(1, "a"), checkpoint(3, "b"), checkpoint(2, "a")];
    await post(proposals, { proposals: [...all, ...all] });
    const answer = await post(`${root}/aspects?action=getTimeseriesAspectValues`, {
      urn: job,
      entity: "dataJob",
      aspect: "datahubIngestionCheckpoint",
      limit: 1,
      filter: { or: [{ and: [{ field: "pipelineName", values: ["a"], condition: "EQUAL" }] }] },
    });
    const { values } = JSON.parse(answer.text).value;
    expect(values.map(({ aspect }: { aspect: { value: string } }) => JSON.parse(aspect.value)))
      .toEqual([
        { timestampMillis: 2, pipelineName: "a" },
      ]);
  });
});

it.each([
  [`${root}/aspects/${encodeURIComponent(urn)}?aspect=siblings`, 404],
  [`${root}/openapi/v3/entity/dataset/${encodeURIComponent("urn:li:dataset:x")}`, 404],
  [`${root}/openapi/v3/entity/nothing`, 200],
  [`${root}/openapi/v3/entity/dataset`, 501],
])("GET %s is answered with %d, as DataHub does", async (path, status) => {
  const answer = await get(path);
  expect(answer.status).toBe(status);
  if (status !== 200) expect(JSON.parse(answer.text)).toMatchObject({ status });
});

it.each([["[]", 400], ["{", 400], ['{"proposals": 5}', 400], [
  `{"proposals": [${Array(2_001).fill("{}")}]}`,
  413,
]])(
  "a body of another form is refused: %#",
  async (body, status) => {
    const answer = await post(proposals, body);
    expect([answer.status, JSON.parse(answer.text).status]).toEqual([status, status]);
  },
);
