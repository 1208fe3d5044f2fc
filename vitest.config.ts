import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["**/*.test.ts", "**/*.test.tsx"],
    exclude: ["node_modules/**", "data/**"],
    pool: "forks",
    maxWorkers: 2,
    globalSetup: ["test/support/engines/global-setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    retry: 0,
  },
});
