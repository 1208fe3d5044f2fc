import { expect, it } from "vitest";
import { ingestionBatches } from "#contract/topics.ts";
import { listDeadLetters, replayDeadLetters } from "#eventlog/dead-letters.ts";
import type { OpenContext } from "#platform/compose.ts";
import { eventually } from "#test/support/eventually.ts";
import { ask } from "./client.ts";
import { settled } from "./stack.ts";

const source = "//poison/known";
const late = "//poison/late";

const table = (catrn: string, more = "", name = "t") =>
  `{"catrn":"${catrn}","name":"${name}","type":"TABLE","dataset":{"field_list":[]}${more}}`;
const body = (items: string, from = source) => `{"data_source_catrn":"${from}","items":[${items}]}`;

/** What is wrong, the record, and the reason that it must get. */
const poison: [string, string, string][] = [
  ["bad JSON", "{not json", "invalid_body"],
  ["wrong types", body(`{"catrn":7,"name":[],"type":"TABLE"}`), "invalid_items"],
  ["an unknown source", body(table(`${late}/a`), late), "unknown_data_source"],
  ["21 MB", " ".repeat(21 * 1_048_576), "body_too_large"],
  ["deep nesting", "[".repeat(200_000), "invalid_body"],
  ["a polluting key", body(table(`${source}/z`, `,"__proto__":{"polluted":1}`)), "invalid_body"],
  ["a lone surrogate", body(table(`${source}/x`, "", "\\ud800")), "invalid_body"],
  ["NUL", body(table(`${source}/y`, "", "a\\u0000b")), "invalid_body"],
];

export interface PoisonSubject {
  url: string;
  observer: OpenContext;
}

/** Collectors that write to the log themselves send what no API has looked at. */
export function poisonRecords(subject: () => PoisonSubject): void {
  it("poison goes to the dead letters with its reason, and what follows is applied", async () => {
    const { url, observer } = subject();
    const { events, db } = observer.context;
    await register(url, source);
    const values = poison.flatMap(([, value], at) => [value, body(table(`${source}/good${at}`))]);
    for (const value of values) await write(observer, value);
    await settled(observer);
    const deadLetters = await listDeadLetters({ events, db }, { all: true });
    const reasons = deadLetters.filter((deadLetter) => deadLetter.key === source).map((l) =>
      l.reason
    );
    expect(reasons).toEqual(poison.map(([, , reason]) => reason));
    expect(deadLetters.every((deadLetter) => deadLetter.message !== "" && deadLetter.origin !== ""))
      .toBe(true);
    expect(await known(observer, `${source}/%`))
      .toEqual(poison.map((_, at) => `${source}/good${at}`));
  });

  it("what was repaired is replayed, and applied once", async () => {
    const { url, observer } = subject();
    const { events, db } = observer.context;
    await register(url, late);
    const wanted = { reason: "unknown_data_source" };
    expect(await replayDeadLetters({ events, db }, wanted)).toEqual({ replayed: 1, skipped: [] });
    await settled(observer);
    await eventually(async () => expect(await known(observer, `${late}/%`)).toEqual([`${late}/a`]));
    expect(await replayDeadLetters({ events, db }, wanted)).toEqual({ replayed: 0, skipped: [] });
    const created = await db.query(
      `SELECT 1 FROM activity a JOIN data_entity e ON e.id = a.entity_id
        WHERE a.event_type = 'DATA_ENTITY_CREATED' AND e.catrn = $1`,
      [`${late}/a`],
    );
    expect(created).toHaveLength(1);
  });
}

async function register(url: string, catrn: string): Promise<void> {
  const items = [{ catrn, name: catrn }];
  expect((await ask(url, "POST", "/ingestion/datasources", { items })).status).toBe(200);
}

/** All under one key, so that every record stands in the way of the next. */
async function write({ context }: OpenContext, text: string): Promise<void> {
  const record = { key: source, value: new TextEncoder().encode(text), headers: {} };
  await context.events.publish(ingestionBatches, [record], { timeoutMs: 20_000 });
}

async function known({ context }: OpenContext, like: string): Promise<string[]> {
  const rows = await context.db.query<{ catrn: string }>(
    "SELECT catrn FROM data_entity WHERE catrn LIKE $1 AND NOT hollow ORDER BY catrn",
    [like],
  );
  return rows.map((row) => row.catrn);
}
