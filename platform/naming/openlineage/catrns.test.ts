import { describe, expect, it } from "vitest";
import { maxCatrnBytes } from "#contract/entities.ts";
import { Config } from "#platform/config/schema.ts";
import {
  catrnsOf,
  exportedJobName,
  exportedName,
  jobCatrn,
  namespaceCatrn,
  namingSettings,
  runCatrn,
  testCatrn,
} from "./names.ts";

const configured = (openlineage: Record<string, unknown> = {}) =>
  namingSettings(Config.parse({ openlineage }).openlineage);
const long = "ü".repeat(5_000);

describe("CATRNs of what OpenLineage brings", () => {
  it("of a namespace, without its credentials", () => {
    expect(namespaceCatrn("airflow-prod")).toBe("//openlineage/namespaces/airflow-prod");
    expect(namespaceCatrn("https://me:pw@air.flow/x?token=y"))
      .toBe("//openlineage/namespaces/https:%2F%2Fair.flow%2Fx");
  });

  it("of a job and its runs", () => {
    const job = jobCatrn({ namespace: "prod", name: "dag/a.task b" }, configured());
    expect(job).toBe("//openlineage/namespaces/prod/jobs/dag%2Fa.task b");
    expect(runCatrn(job, "018f")).toBe(`${job}/runs/018f`);
  });

  it("of a job that is a collector's, or whose name holds a time", () => {
    const settings = configured({
      jobs: [
        { namespace: "air", name: "(\\w+)\\.(\\w+)", catrn: "//airflow/host/a/dags/{1}/tasks/{2}" },
        {
          namespace: ".*",
          name: "(.*)_\\d{8}",
          catrn: "//openlineage/namespaces/{namespace}/jobs/{1}",
        },
      ],
    });
    expect(jobCatrn({ namespace: "air", name: "sales.load" }, settings))
      .toBe("//airflow/host/a/dags/sales/tasks/load");
    expect(jobCatrn({ namespace: "a/b", name: "load/x_20260131" }, settings))
      .toBe("//openlineage/namespaces/a%2Fb/jobs/load%2Fx");
  });

  it("of a test of a dataset", () => {
    expect(testCatrn("//mysql/host/h/databases/d/tables/t", "not_null/id"))
      .toBe("//mysql/host/h/databases/d/tables/t/tests/openlineage/not_null%2Fid");
  });

  it("are as long as a CATRN may be, at most, and differ where names do", () => {
    const all = [long, `${long}x`, ""].flatMap((name) => {
      const job = jobCatrn({ namespace: name, name }, configured());
      const test = testCatrn(`//x/${long}`.slice(0, 500), name);
      return [namespaceCatrn(name), job, runCatrn(job, name), test, runCatrn(test, name)];
    });
    expect(new Set(all).size).toBe(all.length);
    for (const catrn of all) {
      expect(new TextEncoder().encode(catrn).length).toBeLessThanOrEqual(maxCatrnBytes);
      expect(catrn.isWellFormed()).toBe(true);
    }
  });
});

describe("exportedName", () => {
  it("is that of OpenLineage, or the CATRN", () => {
    expect(exportedName("//mysql/host/h/databases/d/tables/t"))
      .toEqual({ namespace: "mysql://h:3306", name: "d.t" });
    for (const catrn of ["//tableau/host/t/dashboards/d", "//mysql/host/h/databases/d", "x"]) {
      expect(exportedName(catrn)).toEqual({ namespace: "tributary", name: catrn });
    }
  });

  it("of a lookup table is read back as a dataset of events, since batches cannot bring one", () => {
    const name = exportedName("//catalog/lookup_tables/1");
    const { catrn } = catrnsOf(name, configured());
    expect(catrn).toBe(
      "//openlineage/namespaces/tributary/datasets/%2F%2Fcatalog%2Flookup_tables%2F1",
    );
    expect(exportedName(catrn)).toEqual(name);
  });
});

describe("exportedJobName", () => {
  it.each([
    ["//openlineage/namespaces/a%2Fb/jobs/load%2Fx", { namespace: "a/b", name: "load/x" }],
    ["//airflow/host/a/dags/d", { namespace: "tributary", name: "//airflow/host/a/dags/d" }],
    [
      "//openlineage/namespaces/a/datasets/x",
      { namespace: "tributary", name: "//openlineage/namespaces/a/datasets/x" },
    ],
  ])("of %s is read back as it", (catrn, name) => {
    expect(exportedJobName(catrn)).toEqual(name);
    expect(jobCatrn(name, configured())).toBe(catrn);
  });
});
