import { expect, it } from "vitest";
import { parseSettings, purposeOf, sourceCatrn } from "./kinds.ts";

const kafka = {
  brokers: ["B.example:9092", "a.example:9092"],
  registry_url: "https://registry.example/api",
  connect_url: "http://connect.example:8083",
};

it("a secret is bound to the server that it is sent to, and to nothing else", () => {
  const purpose = (more: object, name: string) =>
    purposeOf("kafka", parseSettings("kafka", { ...kafka, ...more }), name);
  const other = { registry_url: "https://evil.example/" };
  expect(purpose(other, "password")).toBe(purpose({}, "password"));
  expect(purpose(other, "registry_password")).not.toBe(purpose({}, "registry_password"));
  expect(purpose({ registry_url: "https://registry.example/other" }, "registry_password"))
    .toBe(purpose({}, "registry_password"));
  expect(purpose({ connect_url: "https://connect.example:8083" }, "connect_password"))
    .not.toBe(purpose({}, "connect_password"));
  for (const more of [{ brokers: ["evil.example:9092"] }, { tls: "require" }, { sasl: "plain" }]) {
    expect(purpose(more, "password")).not.toBe(purpose({}, "password"));
  }
  const dbt = { project: "shop", location: "https://ci.example/target", warehouse: "bigquery" };
  const tokenOf = (location: string) =>
    purposeOf("dbt", parseSettings("dbt", { ...dbt, location }), "token");
  expect(tokenOf("https://ci.example/other")).toBe(tokenOf(dbt.location));
  expect(tokenOf("http://ci.example/target")).not.toBe(tokenOf(dbt.location));
});

it("data sources are named as collectors and OpenLineage name them", () => {
  expect(sourceCatrn("kafka", parseSettings("kafka", kafka))).toBe("//kafka/host/b.example:9092");
  const mysql = { host: "DB.example", user: "u" };
  expect(sourceCatrn("mysql", parseSettings("mysql", mysql))).toBe("//mysql/host/db.example");
  expect(sourceCatrn("mysql", parseSettings("mysql", { ...mysql, port: 3307 })))
    .toBe("//mysql/host/db.example:3307");
});

it.each(
  [
    ["kafka", { brokers: ["http://x:1"] }],
    ["kafka", { brokers: [] }],
    ["kafka", { ...kafka, registry_url: "http://user:secret@x/" }],
    ["kafka", { ...kafka, connect_url: "file:///etc/passwd" }],
    ["dbt", { project: "p", warehouse: "w", location: "/a/../b" }],
    ["dbt", { project: "p", warehouse: "w", location: "relative" }],
    ["dbt", { project: "p", warehouse: "w", location: "http://x/?token=secret" }],
    ["mysql", { host: "http://x", user: "u" }],
    ["airflow", { url: "http://user:secret@x/" }],
    ["iceberg", { url: "https://x/?token=secret" }],
    ["files", { paths: ["relative"] }],
    ["files", { paths: ["/a/../etc"] }],
    ["files", { bucket: "a/b", paths: ["raw"] }],
    ["files", { bucket: "b", region: "x.evil.example/", paths: ["raw"] }],
  ] as const,
)("%s refuses the settings %j", (connector, settings) => {
  expect(() => parseSettings(connector, settings)).toThrow();
});
