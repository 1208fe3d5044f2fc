import { beforeEach, describe, expect, it } from "vitest";
import { RenameOfferList } from "#contract/catalogue/entity.ts";
import { renameRoutes } from "#services/api/features/renames/routes.ts";
import { auditedBy } from "#test/support/audit.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import * as seed from "#test/support/seed/seed.ts";

const feature = featureUnderTest(renameRoutes);
const deleted = 5;

let ids: { connection: number; former: number; successor: number; offer: number };
beforeEach(async () => {
  const { db } = feature.database;
  const former = await seed.seedEntity(db, {
    name: "orders",
    status: deleted,
    internalDescription: "What was sold",
  });
  await seed.seedTag(db, former, "sales", { origin: "INTERNAL" });
  const catrn = `//shop/${crypto.randomUUID()}`;
  const successor = await seed.seedEntity(db, { name: "sales_orders", catrn });
  const [connection] = await db.query<{ id: number }>(
    `INSERT INTO connection (name, connector, settings, source_catrn) VALUES ($1, 'postgresql', '{}', $1)
     RETURNING id`,
    [catrn],
  );
  const [offer] = await db.query<{ id: number }>(
    `INSERT INTO rename_offer (connection_id, run_id, old_id, new_catrn, columns) VALUES ($1, 7, $2, $3, 4) RETURNING id`,
    [connection!.id, former, catrn],
  );
  ids = { connection: connection!.id, former, successor, offer: offer!.id };
});

const offers = async () => {
  const { status, json } = await feature.api.get(`/api/connections/${ids.connection}/renames`);
  expect(status).toBe(200);
  return RenameOfferList.parse(json).items;
};
const decide = (what: "carry-over" | "dismiss", entity = ids.successor) =>
  feature.api.post(`/api/dataentities/${entity}/renames/${ids.offer}/${what}`);
const descriptionOf = async (id: number) =>
  (await feature.database.db.query<{ text: string | null }>(
    "SELECT internal_description AS text FROM data_entity WHERE id = $1",
    [id],
  ))[0]!.text;

describe("renames", () => {
  it("are listed for the connection and shown with both assets", async () => {
    expect(await offers()).toMatchObject([{
      id: ids.offer,
      run_id: 7,
      former: { id: ids.former },
      successor: { id: ids.successor },
      columns: 4,
    }]);
    for (const id of [ids.former, ids.successor]) {
      const [row] = await feature.database.db.query<{ renames: unknown[] }>(
        "SELECT json_renames(e, 7) AS renames FROM data_entity e WHERE id = $1",
        [id],
      );
      expect(row!.renames).toHaveLength(1);
    }
    expect((await feature.api.get("/api/connections/999999/renames")).status).toBe(404);
  });

  it("carry over what people wrote, once, and are audited", async () => {
    const audited = await auditedBy(feature.database.db, () => decide("carry-over"));
    expect(audited).toMatchObject([[
      "RENAME_CARRIED_OVER",
      null,
      expect.stringContaining(" to //shop/"),
    ]]);
    expect(await descriptionOf(ids.successor)).toBe("What was sold");
    const tags = await feature.database.db.query("SELECT 1 FROM entity_tag WHERE entity_id = $1", [
      ids.successor,
    ]);
    expect(tags).toHaveLength(1);
    expect(await offers()).toEqual([]);
    expect((await decide("carry-over")).status).toBe(404);
  });

  it("can be dismissed, which changes nothing", async () => {
    const audited = await auditedBy(feature.database.db, () => decide("dismiss"));
    expect(audited.map(([type]) => type)).toEqual(["RENAME_DISMISSED"]);
    expect(await descriptionOf(ids.successor)).toBeNull();
    expect(await offers()).toEqual([]);
    expect((await decide("carry-over")).status).toBe(404);
  });

  it("404: for another asset than the successor, and once the former one is back", async () => {
    expect((await decide("carry-over", ids.former)).status).toBe(404);
    await feature.database.db.query("UPDATE data_entity SET status = 1 WHERE id = $1", [
      ids.former,
    ]);
    expect((await decide("carry-over")).status).toBe(404);
    expect(await descriptionOf(ids.successor)).toBeNull();
  });
});
