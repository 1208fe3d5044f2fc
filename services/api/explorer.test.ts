import { Hono } from "hono";
import { expect, it } from "vitest";
import type { AppEnv } from "#platform/http/requests.ts";
import { mountPage } from "#platform/http/pages.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Config } from "#platform/config/schema.ts";
import { CallerShares } from "#platform/http/shares.ts";
import { openAccess } from "#platform/operations/access.ts";
import { documentPages } from "#services/api/openapi.ts";

it("the explorer runs its own files alone, talks to nobody else and is shown in no frame", async () => {
  const app = new Hono<AppEnv>();
  const shares = new CallerShares({ config: Config.parse({}), metrics: noMetrics });
  for (const page of documentPages([])) mountPage(app, page, { access: openAccess, shares });
  const page = await app.request("http://localhost/api/explorer");
  const policy = page.headers.get("content-security-policy") ?? "";
  const directives = Object.fromEntries(
    policy.split("; ").map((one) => [one.split(" ")[0], one.split(" ").slice(1).join(" ")]),
  );
  expect(directives).toMatchObject({
    "default-src": "'none'",
    "script-src": "'self'",
    "connect-src": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
  });
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  const html = await page.text();
  const sources = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address!);
  expect(sources.length).toBeGreaterThan(3);
  for (const address of sources) {
    expect(address).toMatch(/^\/api\/explorer\//);
    expect((await app.request(`http://localhost${address}`)).status).toBe(200);
  }
  expect(html).not.toMatch(/<script>|<script [^>]*>[^<]|\son\w+=/);
});
