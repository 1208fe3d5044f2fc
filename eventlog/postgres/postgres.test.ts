import { eventLogConformance } from "#test/conformance/eventlog.ts";
import { testDatabase } from "#test/support/engines/database.ts";

eventLogConformance("postgres", async () => {
  const { db, url, drop } = await testDatabase();
  return {
    db,
    target: { engine: "postgres", url, sessionMs: 1_000 },
    unreachable: {
      engine: "postgres",
      url: "postgres://nobody@127.0.0.1:1/none",
      sessionMs: 1_000,
    },
    tearDown: drop,
  };
});
