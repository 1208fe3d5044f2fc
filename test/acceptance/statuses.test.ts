import { expect, it } from "vitest";
import { journey } from "#test/acceptance/client.ts";

const questions: [string, string, number, unknown?][] = [
  ["GET", "/api/nothing", 404],
  ["GET", "/ingestion/nothing", 404],
  ["GET", "/nothing", 404],
  ["DELETE", "/ingestion/entities", 405],
  ["GET", "/api/dataentities", 400],
  ["GET", "/api/dataentities?page=0&size=10", 400],
  ["GET", "/api/dataentities?page=1&size=1001", 400],
  ["GET", "/api/dataentities?page=1&size=-1", 400],
  ["GET", "/api/dataentities?page=one&size=10", 400],
  ["GET", "/api/dataentities?page=2147483647&size=1000", 200],
  ["GET", "/api/dataentities/abc", 400],
  ["GET", "/api/dataentities/0", 400],
  ["GET", "/api/dataentities/99999999999999999999", 400],
  ["GET", "/api/dataentities/9007199254740991", 404],
  ["GET", "/api/dataentities/77777", 404],
  ["GET", "/api/dataentities/77777/lineage/upstream", 404],
  ["GET", "/api/dataentities/77777/lineage/upstream?lineage_depth=0", 400],
  ["GET", "/api/dataentities/77777/lineage/upstream?lineage_depth=two", 400],
  ["GET", "/api/dataentities/77777/lineage/upstream?expanded_entity_ids=x", 400],
  ["GET", "/api/dataentitygroups/77777/lineage", 404],
  ["GET", "/api/dataentitygroups/77777/children?page=1&size=1", 404],
  ["GET", "/api/dataentitygroups/77777/items?page=1&size=1", 404],
  ["GET", "/api/datasets/77777/structure", 404],
  ["GET", "/api/datasets/77777/structure/1", 404],
  ["GET", "/api/datasets/77777/relationships?type=ALL", 404],
  ["GET", "/api/datasets/77777/relationships", 400],
  ["GET", "/api/datasets/77777/structure/diff", 400],
  ["GET", "/api/dataentities/77777/runs?page=1&size=1", 404],
  ["GET", "/api/dataentities/77777/runs?page=1&size=1&status=FINE", 400],
  ["GET", "/api/dataentities/77777/metrics", 404],
  ["GET", "/api/datasetfields/77777/metrics", 404],
  ["GET", "/api/relationships?page=1&size=1", 400],
  ["GET", "/api/relationships/erd/77777", 404],
  ["GET", "/api/relationships/graph/77777", 404],
  ["GET", "/api/search/nope", 400],
  ["GET", "/api/search/00000000-0000-4000-8000-000000000000", 404],
  ["GET", "/api/search/00000000-0000-4000-8000-000000000000/results?page=1&size=1", 404],
  ["GET", "/api/directory/datasources", 400],
  ["GET", "/api/directory/datasources/77777?page=1&size=1", 404],
  ["GET", "/api/directory/datasources/77777/types", 404],
  ["GET", "/api/namespaces/77777", 404],
  ["PUT", "/api/namespaces/77777", 404, { name: "n" }],
  ["PUT", "/api/namespaces/77777", 400, {}],
  ["DELETE", "/api/datasources/77777", 404],
  ["PUT", "/api/datasources/77777/token", 404],
  ["PUT", "/api/collectors/77777/token", 404],
  ["POST", "/api/datasources", 400, { name: "x" }],
  ["POST", "/api/collectors", 400, []],
  ["POST", "/api/dataentitygroups", 400, {
    name: "g",
    type: { id: 1, name: "TABLE" },
    entities: [],
  }],
  ["PUT", "/api/dataentitygroups/77777", 404, {
    name: "g",
    type: { id: 22, name: "DOMAIN" },
    entities: [],
  }],
  ["POST", "/api/dataentities/77777/data_entity_group", 404, { data_entity_group_id: 1 }],
  ["DELETE", "/api/dataentities/77777/data_entity_group/1", 404],
  ["GET", "/ingestion/entities/degs/children", 400],
];

journey("operations asked wrongly", (client) => {
  it.each(questions)("%s %s is %i", async (method, path, status, body?: unknown) => {
    const answer = await client().send(method, path, body);
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
    if (status < 400) return;
    expect(answer.json).toMatchObject({
      code: status === 404 ? "USR002" : "USR001",
      retryable: false,
      message: expect.stringMatching(/\w/),
    });
  });
});
