import { describe, expect, it } from "vitest";
import { dropActivityPartitions, makeActivityPartitions } from "./retention.ts";
import { cutoff, exact, older, retention } from "#services/housekeeping/testing/sweep.ts";
import { insertEntities } from "#test/support/seed/catalogue.ts";

const newer = "2030-03-01T00:00:00.001Z";

const t = retention();
const { sweep, values } = t;

describe("search-sessions", () => {
  it("removes what was used before the cutoff, in batches, and keeps what is exactly as old", async () => {
    await t.db.query(
      `INSERT INTO search_session (id, family, state, last_accessed)
       SELECT gen_random_uuid(), 'test', '{}', at FROM unnest($1::timestamptz[]) at`,
      [[older, older, older, exact, newer]],
    );
    expect(await sweep("search-sessions", cutoff, 2)).toBe(2);
    expect(await sweep("search-sessions", cutoff, 2)).toBe(1);
    expect(await sweep("search-sessions", cutoff, 2)).toBe(0);
    expect(await values("SELECT count(*) AS v FROM search_session")).toEqual([2]);
  });
});

describe("surplus-searches", () => {
  it("keeps those that were used last, and removes the others in batches", async () => {
    await t.db.query("TRUNCATE search_session");
    await t.db.query(
      `INSERT INTO search_session (id, family, state, last_accessed)
       SELECT gen_random_uuid(), 'test', '{}', now() - n * interval '1 hour'
         FROM generate_series(1, 10) n`,
    );
    expect(await sweep("surplus-searches", 3, 5)).toBe(5);
    expect(await sweep("surplus-searches", 3, 5)).toBe(2);
    expect(await sweep("surplus-searches", 3, 5)).toBe(0);
    expect(
      await values(
        "SELECT count(*) AS v FROM search_session WHERE last_accessed < now() - interval '4 h'",
      ),
    ).toEqual([0]);
    expect(await values("SELECT count(*) AS v FROM search_session")).toEqual([3]);
  });
});

describe("applied-batches", () => {
  it("removes outcomes older than the cutoff, applied and refused alike", async () => {
    await t.db.query(
      `INSERT INTO applied_batch (batch, part, outcome, position, applied_at) VALUES
         ('a', 0, 'applied', 1, $1), ('a', 1, 'refused', 1, $1), ('b', 0, 'applied', 1, $2)`,
      [older, exact],
    );
    expect(await sweep("applied-batches", cutoff, 10)).toBe(2);
    expect(await values("SELECT batch AS v FROM applied_batch")).toEqual(["b"]);
  });
});

describe("lineage-outbox", () => {
  const fill = async (...times: string[]) => {
    await t.db.query("TRUNCATE lineage_outbox");
    await t.db.query(
      `INSERT INTO lineage_outbox (position, entity_ids, created_at)
       SELECT n, '{}', at FROM unnest($1::timestamptz[]) WITH ORDINALITY AS r (at, n)`,
      [times],
    );
  };
  const left = () => values("SELECT position AS v FROM lineage_outbox ORDER BY position");

  it("keeps the last row however old it is", async () => {
    await fill(older, older, older);
    expect(await sweep("lineage-outbox", cutoff, 1)).toBe(1);
    expect(await sweep("lineage-outbox", cutoff, 10)).toBe(1);
    expect(await sweep("lineage-outbox", cutoff, 10)).toBe(0);
    expect(await left()).toEqual([3]);
  });

  it("keeps what is not older than the cutoff", async () => {
    await fill(older, exact, newer, newer);
    expect(await sweep("lineage-outbox", cutoff, 10)).toBe(1);
    expect(await left()).toEqual([2, 3, 4]);
  });

  it("keeps everything after the position that the projected graph has reached", async () => {
    await fill(older, older, older, older);
    expect(await sweep("lineage-outbox", cutoff, 10, 0)).toBe(0);
    expect(await sweep("lineage-outbox", cutoff, 10, 2)).toBe(2);
    expect(await left()).toEqual([3, 4]);
  });
});

describe("lineage-history", () => {
  it("removes edges by the time they ceased to be declared", async () => {
    await t.db.query(
      `INSERT INTO lineage_edge_history
       SELECT n, n, n, '2029-01-01', at FROM unnest($1::timestamptz[]) WITH ORDINALITY AS r (at, n)`,
      [[older, older, exact]],
    );
    expect(await sweep("lineage-history", cutoff, 1)).toBe(1);
    expect(await sweep("lineage-history", cutoff, 5)).toBe(1);
    expect(await values("SELECT child_id AS v FROM lineage_edge_history")).toEqual([3]);
  });
});

describe("deletion-history", () => {
  it("removes closed intervals by their end, and open ones only of purged entities", async () => {
    const { alive } = await insertEntities(t.db, [{ name: "alive", status: 5 }]);
    await t.db.query(
      `INSERT INTO entity_deletion (entity_id, since, until) VALUES
         (1000001, '2029-01-01', $1), (1000002, '2029-01-01', $2), (1000003, $1, NULL),
         (1000004, $2, NULL), ($3, $1, NULL)`,
      [older, exact, alive],
    );
    expect(await sweep("deletion-history", cutoff, 10)).toBe(2);
    expect(await values("SELECT entity_id AS v FROM entity_deletion ORDER BY entity_id"))
      .toEqual([alive, 1000002, 1000004]);
  });
});

describe("resolved-alerts", () => {
  it("removes alerts by the time of their resolution, with what they say, never open ones", async () => {
    const { entity } = await insertEntities(t.db, ["entity"]);
    await t.db.query(
      `WITH made AS (
         INSERT INTO alert (entity_id, type, status, status_updated_at, created_at)
         SELECT $1, type, status, at, '2020-01-01' FROM unnest($2::smallint[], $3::smallint[],
           $4::timestamptz[]) AS r (type, status, at) RETURNING id)
       INSERT INTO alert_chunk (alert_id, description) SELECT id, 'text' FROM made`,
      [entity, [1, 2, 3, 4, 1], [2, 3, 2, 3, 1], [older, older, exact, newer, older]],
    );
    expect(await sweep("resolved-alerts", cutoff, 1)).toBe(1);
    expect(await sweep("resolved-alerts", cutoff, 5)).toBe(1);
    expect(await sweep("resolved-alerts", cutoff, 5)).toBe(0);
    expect(await values("SELECT type::int * 10 + status AS v FROM alert ORDER BY 1"))
      .toEqual([11, 32, 43]);
    expect(await values("SELECT count(*) AS v FROM alert_chunk")).toEqual([3]);
  });
});

describe("alert-events", () => {
  it("removes changes of alerts by the time they were recorded", async () => {
    await t.db.query(
      `INSERT INTO alert_event (alert_id, alert_type, event_type, event_at, recorded_at)
       SELECT n, 1, 'CREATED', '2020-01-01', at
         FROM unnest($1::timestamptz[]) WITH ORDINALITY AS r (at, n)`,
      [[older, older, exact, newer]],
    );
    expect(await sweep("alert-events", cutoff, 1)).toBe(1);
    expect(await sweep("alert-events", cutoff, 5)).toBe(1);
    expect(await values("SELECT alert_id AS v FROM alert_event ORDER BY 1")).toEqual([3, 4]);
  });
});

describe("expired-tokens", () => {
  it("removes tokens by their end, never those without one", async () => {
    await t.db.query("INSERT INTO account (username, admin) VALUES ('ada', false)");
    await t.db.query(
      `INSERT INTO personal_token (username, name, scope, digest, hint, created_at, expires_at)
       SELECT 'ada', n, 'ALL', sha256(n::text::bytea), 'hint', '2020-01-01', at
         FROM unnest($1::timestamptz[]) WITH ORDINALITY AS r (at, n)`,
      [[older, older, exact, newer, null]],
    );
    expect(await sweep("expired-tokens", cutoff, 1)).toBe(1);
    expect(await sweep("expired-tokens", cutoff, 5)).toBe(1);
    expect(await values("SELECT name AS v FROM personal_token ORDER BY 1")).toEqual([
      "3",
      "4",
      "5",
    ]);
  });
});

describe("audit", () => {
  it("removes what was retained for auditors by the time it was recorded", async () => {
    await t.db.query(
      `INSERT INTO audit_event (type, actor_kind, subject, recorded_at)
       SELECT 'SIGNED_IN', 'user', n, at FROM unnest($1::timestamptz[]) WITH ORDINALITY AS r (at, n)`,
      [[older, older, exact, newer]],
    );
    expect(await sweep("audit", cutoff, 1)).toBe(1);
    expect(await sweep("audit", cutoff, 5)).toBe(1);
    expect(await values("SELECT subject AS v FROM audit_event ORDER BY 1")).toEqual(["3", "4"]);
  });
});

describe("activity partitions", () => {
  const at = new Date("2041-06-15T00:00:00.000Z");
  const insert = (...times: string[]) =>
    t.db.query(
      `INSERT INTO activity (event_type, created_at, old_state, new_state, system_event)
       SELECT 'DESCRIPTION_UPDATED', at, '{}', '{}', true FROM unnest($1::timestamptz[]) at`,
      [times],
    );
  const partitionOf = (time: string) =>
    values(`SELECT tableoid::regclass::text AS v FROM activity WHERE created_at = '${time}'`);

  it("are made for now and the period after it, as often as asked", async () => {
    await makeActivityPartitions(t.db, at);
    await makeActivityPartitions(t.db, at);
    await insert("2041-06-15T00:00:00.000Z", "2041-07-15T00:00:00.000Z");
    expect(await partitionOf("2041-06-15T00:00:00.000Z")).not.toEqual(["activity_other"]);
    expect(await partitionOf("2041-07-15T00:00:00.000Z")).not.toEqual(["activity_other"]);
  });

  it("take over the rows that came before them", async () => {
    await insert("2042-06-15T12:00:00.000Z", "2043-06-15T12:00:00.000Z");
    expect(await partitionOf("2042-06-15T12:00:00.000Z")).toEqual(["activity_other"]);
    await makeActivityPartitions(t.db, new Date("2042-06-15T00:00:00.000Z"));
    expect(await partitionOf("2042-06-15T12:00:00.000Z")).not.toEqual(["activity_other"]);
    expect(await partitionOf("2043-06-15T12:00:00.000Z")).toEqual(["activity_other"]);
    await insert("2042-06-15T12:00:00.001Z");
    const ids = await values("SELECT id AS v FROM activity");
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("are dropped when they end at or before the cutoff, and the rest goes row by row", async () => {
    const [end] = await values(
      `SELECT to_timestamp((floor(extract(epoch FROM '2041-06-15Z'::timestamptz) / 2592000) + 1)
              * 2592000) AS v`,
    ) as [Date];
    const before = await values(
      "SELECT count(*) AS v FROM pg_inherits WHERE inhparent = 'activity'::regclass",
    );
    const dropped = await dropActivityPartitions(t.db, new Date(end.getTime() - 1));
    expect(await partitionOf("2041-06-15T00:00:00.000Z")).toHaveLength(1);
    expect(await dropActivityPartitions(t.db, end)).toBe(1);
    expect(await partitionOf("2041-06-15T00:00:00.000Z")).toEqual([]);
    expect(await partitionOf("2041-07-15T00:00:00.000Z")).toHaveLength(1);
    const after = await values(
      "SELECT count(*) AS v FROM pg_inherits WHERE inhparent = 'activity'::regclass",
    );
    expect(after).toEqual([(before[0] as number) - dropped - 1]);
    expect(await sweep("stray-activity", new Date("2043-06-15T12:00:00.000Z"), 10)).toBe(0);
    expect(await sweep("stray-activity", new Date("2043-06-15T12:00:00.001Z"), 10)).toBe(1);
  });
});
