import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refreshBatch, searchRefreshWorker } from "./search-refresh.ts";
import { testContext } from "#test/support/http/api.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { insertEntities } from "#test/support/seed/catalogue.ts";
import { eventually } from "#test/support/eventually.ts";
import { seedTerm, seedTermOwnership, seedTermTag } from "#test/support/seed/seed-terms.ts";
import * as seed from "#test/support/seed/seed.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase()));
afterAll(() => database.drop());

const found = async (typed: string) =>
  (await database.db.query<{ id: number }>(
    "SELECT entity_id AS id FROM search_document WHERE vector @@ search_query($1) ORDER BY 1",
    [typed],
  )).map((row) => row.id);
const foundTerms = async (typed: string) =>
  (await database.db.query<{ id: number }>(
    "SELECT term_id AS id FROM term_document WHERE vector @@ search_query($1) ORDER BY 1",
    [typed],
  )).map((row) => row.id);
const refresh = (ids: number[]) => database.db.query("SELECT refresh_search_documents($1)", [ids]);
async function drain(max: number): Promise<number[]> {
  const batches: number[] = [];
  for (let done = await refreshBatch(database.db, max); done !== null;) {
    batches.push(done);
    done = await refreshBatch(database.db, max);
  }
  return batches;
}

describe("refreshBatch", () => {
  it("follows a rename of a namespace in batches, by source and by entity", async () => {
    const { db } = database;
    const namespaceId = await seed.seedNamespace(db, "nsbefore");
    const sourceId = await seed.seedSource(db, { namespace: "nsbefore" });
    const ids = [await seed.seedEntity(db, { namespaceId })];
    for (let i = 0; i < 4; i++) ids.push(await seed.seedEntity(db, { sourceId }));
    await refresh(ids);
    await db.query("UPDATE namespace SET name = 'nsafter' WHERE id = $1", [namespaceId]);
    expect(await found("nsafter")).toEqual([]);
    // The last are the terms of the namespace: none.
    expect(await drain(2)).toEqual([2, 2, 1, 0]);
    expect(await found("nsafter")).toEqual(ids);
    expect(await found("nsbefore")).toEqual([]);
  });

  it.each(["tag", "owner", "title", "data_source"])("follows a rename of a %s", async (kind) => {
    const { db } = database;
    const sourceId = await seed.seedSource(db, { name: "namebefore data_source" });
    const id = await seed.seedEntity(db, { sourceId });
    await seed.seedTag(db, id, "namebefore tag");
    await seed.seedOwnership(db, id, "namebefore owner", "namebefore title");
    await refresh([id]);
    const named = `namebefore ${kind}`;
    await db.query(`UPDATE ${kind} SET name = 'moved ' || $2 WHERE name = $1`, [named, kind]);
    await drain(10);
    expect(await found(`moved ${kind}`)).toContain(id);
  });

  it("follows a change of many entities, in portions; those that are gone are passed over", async () => {
    const { db } = database;
    const { moved, one, ...rest } = await insertEntities(db, ["moved", "one", "two", "three"]);
    await refresh([moved!, one!]);
    await db.query("UPDATE data_entity SET external_name = 'crowded' WHERE id = $1", [one]);
    await db.query("SELECT queue_search_documents($1)", [[999_999, moved, one]]);
    await db.query("SELECT queue_search_documents($1)", [Object.values(rest)]);
    expect(await found("crowded")).toEqual([]);
    expect(await drain(10)).toEqual([3, 2]);
    expect([await found("crowded"), await found("one")]).toEqual([[one], []]);
    expect(await db.query("SELECT FROM search_document_queue")).toEqual([]);
  });

  it("follows a rename of a term: entities that people linked with it", async () => {
    const { db } = database;
    const [linked, other] = [await seed.seedEntity(db), await seed.seedEntity(db)];
    const term = await seedTerm(db, "glossary", "termbefore");
    await db.query("INSERT INTO entity_term VALUES ($1, $2)", [linked, term]);
    await refresh([linked, other]);
    expect(await found("termbefore")).toEqual([linked]);
    await db.query("UPDATE term SET name = 'termafter' WHERE id = $1", [term]);
    await drain(10);
    expect([await found("termbefore"), await found("termafter")]).toEqual([[], [linked]]);
  });

  it.each(["namespace", "tag", "owner", "title"])(
    "follows a rename of a %s of terms, in batches",
    async (kind) => {
      const { db } = database;
      const before = `${kind}beforeterm`;
      const terms: number[] = [];
      for (const name of ["a", "b", "c"]) {
        terms.push(await seedTerm(db, kind === "namespace" ? before : `of ${kind}`, name));
      }
      if (kind === "tag") { for (const id of terms) await seedTermTag(db, id, before); }
      const owner = kind === "owner" ? before : "somebody";
      const title = kind === "title" ? before : "something";
      for (const id of terms) await seedTermOwnership(db, id, owner, title);
      await db.query("SELECT refresh_term_documents($1)", [terms]);
      await db.query(`UPDATE ${kind} SET name = $2 WHERE name = $1`, [before, `${kind}afterterm`]);
      expect((await drain(2)).filter((done) => done > 0)).toEqual([2, 1]);
      expect(await foundTerms(`${kind}afterterm`)).toEqual(terms);
      expect(await foundTerms(before)).toEqual([]);
    },
  );

  it("follows changes of many terms, and leaves what only a newer release knows to it", async () => {
    const { db } = database;
    const term = await seedTerm(db, "many terms", "crowdedterm");
    await db.query("SELECT queue_search_documents($1, 'term')", [[term, 999_999]]);
    await db.query("SELECT queue_search_documents($1, 'to come')", [[1]]);
    await db.query(
      "INSERT INTO search_refresh_queue (kind, subject_id, document) VALUES ('term', 1, 'to come')",
    );
    expect(await drain(10)).toEqual([2]);
    expect(await foundTerms("crowdedterm")).toEqual([term]);
    const left = "DELETE FROM search_refresh_queue RETURNING document";
    expect(await db.query(left)).toEqual([{ document: "to come" }]);
    await db.query("DELETE FROM search_document_queue");
  });

  it("starts over when the same thing is renamed again half-way", async () => {
    const { db } = database;
    const sourceId = await seed.seedSource(db, { name: "first" });
    const ids = [await seed.seedEntity(db, { sourceId }), await seed.seedEntity(db, { sourceId })];
    const rename = (name: string) =>
      db.query("UPDATE data_source SET name = $2 WHERE id = $1", [sourceId, name]);
    await rename("second");
    await refreshBatch(db, 1);
    await rename("thirdname");
    await drain(1);
    expect(await found("thirdname")).toEqual(ids);
  });

  it("lets others have their turn when one thing is renamed again and again", async () => {
    const { db } = database;
    const busy = await seed.seedSource(db, { name: "busy" });
    const own = [await seed.seedEntity(db, { sourceId: busy })];
    own.push(await seed.seedEntity(db, { sourceId: busy }));
    const quiet = await seed.seedSource(db, { name: "quiet" });
    const ofQuiet = await seed.seedEntity(db, { sourceId: quiet });
    const waiting = await seed.seedEntity(db, { name: "waitingdocument" });
    const rename = (id: number, name: string) =>
      db.query("UPDATE data_source SET name = $2 WHERE id = $1", [id, name]);
    await rename(busy, "busy0");
    await rename(quiet, "quietafter");
    await db.query("SELECT queue_search_documents($1)", [[waiting]]);
    for (let n = 1; n <= 4; n++) {
      await rename(busy, `busy${n}`);
      await refreshBatch(db, 1);
    }
    expect([await found("quietafter"), await found("waitingdocument")])
      .toEqual([[ofQuiet], [waiting]]);
    await drain(10);
    expect(await found("busy4")).toEqual(own);
  });
});

describe("searchRefreshWorker", () => {
  it("is woken by a rename, and rests when stopped", async () => {
    const { db } = database;
    const context = testContext(database);
    const worker = searchRefreshWorker(context);
    await worker.start((error) => {
      throw error;
    });
    const sourceId = await seed.seedSource(db, { name: "asleep" });
    const id = await seed.seedEntity(db, { sourceId });
    await eventually(() => expect(worker.health().state).toBe("running"));
    await db.query("UPDATE data_source SET name = 'awakened' WHERE id = $1", [sourceId]);
    await eventually(async () => expect(await found("awakened")).toEqual([id]), {
      describe: () => worker.health(),
    });
    await worker.stop();
    await worker.stop();
    await context.wakeups.close();
    const leases = await db.query("SELECT FROM lease WHERE expires_at > now()");
    expect(leases).toHaveLength(0);
  });
});
