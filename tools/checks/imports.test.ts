import { describe, expect, it } from "vitest";
import { forbidden } from "./imports.ts";

describe("forbidden", () => {
  it.each([
    ["platform/compose.ts", "kit/errors.ts"],
    ["eventlog/postgres/log.ts", "metadata/postgres/database.ts"],
    ["main.ts", "services/api/service.ts"],
    ["services/api/features/search/routes.ts", "services/api/features/search/service.ts"],
    ["services/api/features/search/service.ts", "services/api/features/tags/service.ts"],
    ["services/api/openapi.ts", "services/api/features/tags/routes.ts"],
    ["services/api/features/a/read-routes.ts", "services/api/features/a/schemas.ts"],
    ["services/api/features/a/service.ts", "services/api/features/a/plan.ts"],
    ["services/api/limits.ts", "services/api/features/a/limits.ts"],
    ["services/api/features.ts", "services/api/features/openlineage/a/routes.ts"],
    [
      "services/api/features/openlineage/a/routes.ts",
      "services/api/features/openlineage/a/service.ts",
    ],
    ["kit/retry.test.ts", "test/support/eventually.ts"],
    ["tools/checks/ok.ts", "services/api/openapi.ts"],
    ["web/features/search/route.tsx", "web/components/list.tsx"],
    ["web/app/routes.tsx", "web/features/search/route.tsx"],
    ["web/features/search/route.test.tsx", "test/support/eventually.ts"],
    ["bench/web/layout.ts", "web/graph/layout/layout.ts"],
    ["test/e2e/start.test.ts", "kit/ids.ts"],
  ])("lets %s import %s", (from, to) => {
    expect(forbidden(from, to)).toBeNull();
  });

  it.each([
    ["kit/errors.ts", "contract/http.ts", "kit stands below or beside contract"],
    ["cache/redis.ts", "metadata/postgres/database.ts", "cache stands below or beside metadata"],
    ["graph/port.ts", "metadata/postgres/database.ts", "only the PostgreSQL adapter"],
    ["platform/compose.ts", "services/api/service.ts", "below or beside"],
    ["services/api/service.ts", "services/ingest-consumer/service.ts", "do not know each other"],
    ["services/api/features/a/routes.ts", "services/api/features/a/queries.ts", "service.ts"],
    ["services/api/features/a/read-routes.ts", "services/api/features/a/plan.ts", "service.ts"],
    ["services/api/features/a/service.ts", "services/api/features/b/queries.ts", "service.ts only"],
    ["services/api/features/a/service.ts", "services/api/features/b/routes.ts", "service.ts only"],
    ["services/api/service.ts", "services/api/features/a/refresh.ts", "known outside"],
    [
      "services/api/features/openlineage/a/service.ts",
      "services/api/features/openlineage/b/queries.ts",
      "service.ts only",
    ],
    ["kit/retry.ts", "test/support/eventually.ts", "tests"],
    ["kit/retry.ts", "tools/services.mjs", "tools"],
    ["services/api/pages.ts", "web/main.tsx", "nothing knows the web interface"],
    ["tools/start.ts", "web/main.tsx", "nothing knows the web interface"],
    ["test/e2e/web.test.ts", "web/main.tsx", "nothing knows the web interface"],
    ["web/main.tsx", "kit/text.ts", "knows itself only"],
    ["web/main.tsx", "contract/catalogue/entity.ts", "knows itself only"],
    ["web/app/main.tsx", "web/app/main.test.tsx", "knows itself only"],
    ["web/kit/button.tsx", "web/components/list.tsx", "kit stands below or beside components"],
    [
      "web/features/home/route.tsx",
      "web/features/search/route.tsx",
      "screens do not know each other",
    ],
    ["web/graph/scene.ts", "web/features/search/route.tsx", "stands below"],
  ])("refuses that %s imports %s", (from, to, reason) => {
    expect(forbidden(from, to)).toContain(reason);
  });
});
