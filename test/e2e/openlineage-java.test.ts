import { afterAll, beforeAll, expect, it } from "vitest";
import type { Instance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";
import { emitByJava } from "#test/support/openlineage/clients.ts";
import { startGuardedIntake } from "#test/support/openlineage/guarded-intake.ts";

let instance: Instance;
let token: string;
beforeAll(async () => {
  ({ instance, token } = await startGuardedIntake());
});
afterAll(() => instance?.stop());

const transport = (more: Record<string, string> = {}) => ({
  OPENLINEAGE__TRANSPORT__TYPE: "http",
  OPENLINEAGE__TRANSPORT__URL: instance.url,
  ...more,
});
const signedIn = () => ({
  OPENLINEAGE__TRANSPORT__AUTH: JSON.stringify({ type: "api_key", apiKey: token }),
});

it.each([
  ["plain", {}],
  ["gzip", { OPENLINEAGE__TRANSPORT__COMPRESSION: "gzip" }],
])("openlineage-java, unmodified, %s: every run shows as SUCCESS", async (namespace, more) => {
  const runs = 5;
  await emitByJava(transport({ ...signedIn(), ...more }), namespace, runs);
  await eventually(async () => {
    const found = await instance.test.db.query(
      `SELECT DISTINCT e.external_name AS name, r.status FROM task_run r JOIN data_entity e ON e.id = r.task_id
        WHERE starts_with(e.catrn, $1) ORDER BY name`,
      [`//openlineage/namespaces/${namespace}/jobs/`],
    );
    expect(found).toEqual(
      Array.from({ length: runs }, (_, at) => ({ name: `daily.totals${at}`, status: "SUCCESS" })),
    );
  });
  const warnings = await instance.json(`/api/openlineage/complaints?namespace=${namespace}`);
  expect(warnings).toEqual({ items: [] });
});

it("openlineage-java without its token is refused", async () => {
  await expect(emitByJava(transport(), "stranger", 1)).rejects.toThrow("401");
});
