import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parsePolicy } from "#services/api/access/permissions/policy/document.ts";
import { publishedRoutes } from "#services/api/openapi.ts";

const text = readFileSync("docs/operate/permissions.md", "utf8");

/** Rows of the table of operations, as their cells. */
const rows = text.split("### Permissions of operations")[1]!.split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));

it("shows policies that are taken", () => {
  const shown = [...text.matchAll(/```json policy\n(.*?)```/gs)].map(([, policy]) => policy!);
  expect(shown).toHaveLength(1);
  for (const policy of shown) expect(parsePolicy(policy)).toHaveProperty("document");
});

it("tells of every operation which permission it asks for", () => {
  const documented = new Map(rows.map(([id, place, permission]) => [id, [place, permission]]));
  const routes = publishedRoutes();
  expect(documented.size).toBe(routes.length);
  for (const { spec: { id, method, path, access } } of routes) {
    const [place, permission] = documented.get(`\`${id}\``) ?? [];
    expect(place).toBe(`\`${method.toUpperCase()} ${path}\``);
    if (typeof access !== "string") {
      expect(permission).toBe(`\`${access.permission}\`${access.dormant ? " (dormant)" : ""}`);
    } else expect(permission).toMatch(/^(anyone|signed in|collector)$/);
  }
});

it.each([
  ["updateStatus", "data entity `{data_entity_id}`"],
  ["changeAlertStatus", "alert `{alert_id}`"],
  ["createPolicy", "everything"],
  ["getPolicyList", ""],
])("tells on what %s asks for it", (id, on) => {
  expect(rows.find(([name]) => name === `\`${id}\``)?.[3]).toBe(on);
});
