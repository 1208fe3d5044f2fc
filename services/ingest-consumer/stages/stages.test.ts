import { describe, expect, it } from "vitest";
import { translateKeys } from "#contract/ingestion/translate.ts";
import type { EntityDraft, StoredEntity } from "../chunk.ts";
import { directRecord, httpRecord, job, source, table } from "../testing/harness.ts";
import { chunkIdentityOf, chunksOf, decode, draft, validate } from "./read.ts";
import { evaluate, type PostingContext } from "./stored-entities.ts";
import { unrestricted } from "./ownership.ts";

const read = (record: ReturnType<typeof directRecord>) =>
  validate({ identity: decode(record, 1_000_000), body: translateKeys(record.value) });

describe("partIdentityOf", () => {
  it("is what the headers of an HTTP chunk say", () => {
    const record = httpRecord([table("//a")], { batch: "b", part: 4, receivedAt: 123 });
    expect(chunkIdentityOf(record))
      .toEqual({ batch: "b", part: 4, parts: 1, receivedAt: 123, direct: false, yieldsAt: null });
  });

  it("is the place in the log, and the log's time, of a direct record", () => {
    const record = { ...directRecord("{}"), partition: 3, offset: 77, timestamp: 5 };
    expect(chunkIdentityOf(record))
      .toEqual({
        batch: "ingestion.batches/3/77",
        part: 0,
        parts: 1,
        receivedAt: 5,
        direct: true,
        yieldsAt: null,
      });
  });

  it("stays that of the first record when a dead letter is replayed elsewhere", () => {
    const headers = { batch: "ingestion.batches/3/77", part: "2", parts: "3", "received-at": "5" };
    const replay = { ...directRecord("{}", headers), partition: 0, offset: 900 };
    expect(chunkIdentityOf(replay))
      .toEqual({
        batch: "ingestion.batches/3/77",
        part: 2,
        parts: 3,
        receivedAt: 5,
        direct: true,
        yieldsAt: null,
      });
  });
});

describe("draft", () => {
  it("parts runs from entities and orders both by CATRN", () => {
    const run = {
      catrn: "//run",
      name: "run",
      type: "JOB_RUN",
      data_transformer_run: {
        transformer_catrn: "//b",
        start_time: "2024-01-01T00:00:00Z",
        status: "FAILED",
      },
    };
    const drafted = draft(read(httpRecord([table("//c"), run, job("//b", [], [])])));
    expect(drafted.entities.map((entity) => entity.catrn)).toEqual(["//b", "//c"]);
    expect(drafted.runs).toMatchObject([{ catrn: "//run", taskCatrn: "//b", kind: "TRANSFORMER" }]);
  });

  it("hashes content: not the order of keys, not explicit nulls, not what is ignored", () => {
    const hashOf = (text: string) =>
      draft(read(directRecord(`{"data_source_catrn":"${source}","items":[${text}]}`))).entities[0]!
        .hash;
    const plain = hashOf('{"catrn":"//a","name":"a","type":"TABLE","dataset":{"field_list":[]}}');
    expect(hashOf(
      '{"dataset":{"rows_number":null,"field_list":[]},"type":"TABLE","tags":null,"name":"a","catrn":"//a","x":1}',
    )).toBe(plain);
    expect(hashOf('{"catrn":"//a","name":"A","type":"TABLE","dataset":{"field_list":[]}}'))
      .not.toBe(plain);
  });
});

describe("chunksOf", () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => table(`//s/${i}`));

  it("leaves chunks of HTTP batches whole", () => {
    expect(chunksOf(read(httpRecord(many(1_500), { part: 2 }))).map((chunk) => chunk.identity.part))
      .toEqual([2]);
  });

  it("cuts direct records at 1,000 items, numbered from their part on", () => {
    const chunks = chunksOf(read(directRecord({ data_source_catrn: source, items: many(2_001) })));
    expect(chunks.map((chunk) => chunk.items.length)).toEqual([1_000, 1_000, 1]);
    expect(chunks.map((chunk) => chunk.identity.part)).toEqual([0, 1, 2]);
    expect(chunks[2]!.indexes).toEqual([2_000]);
  });

  it("cuts by what an item brings along, and never below one item", () => {
    const group = (catrn: string, members: number) => ({
      catrn,
      name: catrn,
      type: "DAG",
      data_entity_group: { entities_list: Array.from({ length: members }, (_, i) => `//m/${i}`) },
    });
    const items = [
      group("//g/1", 15_000),
      group("//g/2", 15_000),
      group("//g/3", 25_000),
      table("//t"),
    ];
    const chunks = chunksOf(read(directRecord({ data_source_catrn: source, items })));
    expect(chunks.map((chunk) => chunk.items.map((item) => item.catrn)))
      .toEqual([["//g/1"], ["//g/2"], ["//g/3"], ["//t"]]);
  });
});

describe("judge", () => {
  const draftOf = { catrn: "//a", hash: "h" } as EntityDraft;
  const by: PostingContext = {
    identity: { batch: "b", receivedAt: 100, yieldsAt: null },
    sourceId: 1,
    siblingSources: new Set([3]),
    ownership: unrestricted,
  };
  const stored: StoredEntity = {
    id: 1,
    catrn: "//a",
    sourceId: 1,
    hollow: false,
    deleted: false,
    statusAt: null,
    receivedAt: 50,
    batch: "a",
    hash: "h",
  };

  it.each<[string, Partial<StoredEntity> | undefined, string]>([
    ["unknown", undefined, "new"],
    ["hollow", { hollow: true, receivedAt: null, hash: null }, "new"],
    ["of equal content", {}, "unchanged"],
    ["of other content", { hash: "x" }, "changed"],
    ["of another source", { sourceId: 2 }, "changed"],
    ["deleted", { deleted: true }, "changed"],
    ["newer", { receivedAt: 101, hash: "x" }, "stale"],
    ["newer and deleted", { receivedAt: 101, deleted: true }, "stale"],
    ["of one time and a later batch", { receivedAt: 100, batch: "c", hash: "x" }, "stale"],
    ["of one time and an earlier batch", { receivedAt: 100, batch: "a", hash: "x" }, "changed"],
    ["of the same batch", { receivedAt: 100, batch: "b", hash: "x" }, "changed"],
  ])("of an entity that is %s", (_what, row, expected) => {
    expect(evaluate(draftOf, row && { ...stored, ...row }, by)).toBe(expected);
  });
  it.each<[string, Partial<StoredEntity> | undefined, string]>([
    ["unknown", undefined, "new"],
    ["hollow", { hollow: true, sourceId: null, receivedAt: null, hash: null }, "new"],
    ["its own", { hash: "x" }, "changed"],
    ["of a source of the same system", { sourceId: 3, hash: "x" }, "changed"],
    ["of another source", { sourceId: 2, hash: "x" }, "kept"],
    ["of another source and equal", { sourceId: 2 }, "kept"],
    ["of another source and newer", { sourceId: 2, receivedAt: 101 }, "kept"],
    ["of no source", { sourceId: null }, "kept"],
    ["of another, deleted before", { sourceId: 2, deleted: true, statusAt: 80 }, "changed"],
    ["of another, deleted since", { sourceId: 2, deleted: true, statusAt: 91 }, "kept"],
    ["its own, deleted since", { deleted: true, statusAt: 91 }, "changed"],
  ])("of an entity that is %s, by a batch that has low precedence", (_what, row, expected) => {
    const lowPriority = { ...by, identity: { ...by.identity, yieldsAt: 90 } };
    expect(evaluate(draftOf, row && { ...stored, ...row }, lowPriority)).toBe(expected);
  });
});
