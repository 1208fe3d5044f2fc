import { vi } from "vitest";

// Whatever test of the unit lane would start a PostgreSQL fails, and so is seen to be in the wrong lane.
vi.mock("#metadata/postgres/embedded.ts", () => {
  const refuse = () => {
    throw new Error("the unit lane starts no PostgreSQL; see tools/tests/lanes.ts");
  };
  return { startEmbedded: refuse, prepareEmbedded: refuse };
});
