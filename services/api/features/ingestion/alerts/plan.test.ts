import { describe, expect, it } from "vitest";
import { type AlertState, type OpenAlert, planEach, planOnce } from "./plan.ts";
import type { ReceivedAlert } from "./received.ts";

const receivedAt = Date.parse("2026-05-01T12:00:00.000Z");
const at = (hour: number) => `2026-05-01T${String(hour).padStart(2, "0")}:00:00.000Z`;

/** An alert that fires since an hour. */
const firing = (hour: number | null, more: Partial<ReceivedAlert> = {}): ReceivedAlert => ({
  catrn: null,
  at: at(hour ?? 12),
  startsAt: hour === null ? null : at(hour),
  endsAt: null,
  description: "d",
  resolved: false,
  fingerprint: "f",
  ...more,
});
const resolved = (hour: number | null, endHour: number | null = null): ReceivedAlert =>
  firing(hour, { resolved: true, endsAt: endHour === null ? null : at(endHour) });
const open = (id: number, hour: number): OpenAlert => ({
  id,
  entityId: null,
  fingerprint: "f",
  startsAt: at(hour),
});
const known = (some: Partial<AlertState> = {}): AlertState => ({
  open: [],
  newest: new Map(),
  ended: new Map(),
  quiet: new Set(),
  says: () => false,
  ...some,
});

/** What a call does: raised as start, texts and end; changed as id, texts and end; then counts. */
function outcome(received: ReceivedAlert[], some: Partial<AlertState> = {}) {
  const plan = planOnce(received, known(some), receivedAt);
  const texts = (chunks: { description: string }[]) => chunks.map((c) => c.description).join("+");
  const end = (over: boolean) => (over ? "over" : "open");
  const hour = (time: string | null) => (time === null ? "" : Number(time.slice(11, 13)));
  return [
    ...plan.raised.map((r) => `new ${hour(r.startsAt)} ${texts(r.chunks)} ${end(r.resolved)}`),
    ...plan.changed.map((c) =>
      `${c.alert.id} ${hour(c.startsAt)} ${texts(c.chunks)} ${end(c.resolved)}`
    ),
    ...[...plan.ended.values()].map((start) => `end ${hour(start)}`),
    ...(["ignored", "repeated", "halted"] as const).flatMap((key) =>
      plan[key] > 0 ? [`${key} ${plan[key]}`] : []
    ),
  ];
}

describe("planOnce", () => {
  const openAt10 = { open: [open(1, 10)], newest: new Map([["f", at(10)]]) };
  const overAt10 = { newest: new Map([["f", at(10)]]) };

  it.each<[string, ReceivedAlert[], Partial<AlertState>, string[]]>([
    ["raises what fires", [firing(10)], {}, ["new 10 d open"]],
    ["raises once what fires twice in a call", [firing(10), firing(10)], {}, [
      "new 10 d open",
      "repeated 1",
    ]],
    ["keeps both texts of one call", [firing(10), firing(10, { description: "e" })], {}, [
      "new 10 d+e open",
    ]],
    ["raises as resolved what ends in the same call", [firing(10), resolved(10, 11)], {}, [
      "new 10 d over",
    ]],
    ["changes nothing by a repetition", [firing(10)], { ...openAt10, says: () => true }, [
      "repeated 1",
    ]],
    ["adds the new text of a repetition", [firing(10)], openAt10, ["1  d open"]],
    ["adds the text of a repetition without a start", [firing(null)], openAt10, ["1  d open"]],
    ["extends the open one by a later start, whatever it says", [firing(11)], {
      ...openAt10,
      says: () => true,
    }, ["1 11 d open"]],
    ["changes nothing by an earlier start", [firing(9)], openAt10, ["repeated 1"]],
    ["resolves it", [resolved(10, 11)], openAt10, ["1   over"]],
    ["resolves it by an end without times", [resolved(null)], openAt10, ["1   over"]],
    ["resolves it by the end of an alert that was merged to an earlier start", [resolved(9, 11)], {
      ...openAt10,
    }, ["1   over"]],
    ["does not resolve it by the late end of an earlier occurrence", [resolved(8, 9)], openAt10, [
      "ignored 1",
    ]],
    ["takes an end before its start for none", [resolved(10, 9)], openAt10, ["1   over"]],
    ["resolves, and raises again what fires later", [resolved(10, 11), firing(11)], openAt10, [
      "new 11 d open",
      "1   over",
    ]],
    ["does not reopen what is over", [firing(10)], overAt10, ["repeated 1"]],
    ["raises again what starts after that", [firing(11)], overAt10, ["new 11 d open"]],
    ["raises again what has no start", [firing(null)], overAt10, ["new  d open"]],
    ["does not reopen in the call that resolves", [resolved(10, 11), firing(10)], openAt10, [
      "1   over",
      "repeated 1",
    ]],
    ["remembers an end of what is not known", [resolved(10, 11)], {}, ["end 10", "ignored 1"]],
    ["ignores an end that is known", [resolved(10, 11)], overAt10, ["ignored 1"]],
    ["raises as resolved what had ended before it came", [firing(10), firing(10)], {
      ended: new Map([["f", at(10)]]),
    }, ["new 10 d over", "repeated 1"]],
    ["raises as resolved what ends first in a call", [resolved(10, 11), firing(10)], {}, [
      "new 10 d over",
      "end 10",
      "ignored 1",
    ]],
    ["extends the newest of several and resolves all", [firing(10), resolved(10, 11)], {
      open: [open(1, 9), open(2, 10)],
    }, ["1   over", "2  d over"]],
    [
      "never takes alerts without an identity for one",
      [
        firing(10, { fingerprint: null }),
        firing(10, { fingerprint: null }),
        { ...resolved(10, 11), fingerprint: null },
      ],
      {},
      ["new 10 d open", "new 10 d open", "ignored 1"],
    ],
    [
      "raises nothing on a quiet entity, and resolves",
      [
        firing(11, { catrn: "//q" }),
        firing(10, { catrn: "//q", fingerprint: "g" }),
        { ...resolved(10, 11), catrn: "//q" },
      ],
      { ...openAt10, quiet: new Set(["//q"]) },
      ["1   over", "halted 2"],
    ],
  ])("%s", (_what, received, some, expected) => {
    expect(outcome(received, some)).toEqual(expected);
  });
});

describe("planEach", () => {
  it("raises each delivery, but those of quiet entities", () => {
    const plan = planEach(
      [firing(10), resolved(10, 11), firing(10, { catrn: "//q" })],
      new Set(["//q"]),
    );
    expect([plan.raised.map((one) => one.resolved), plan.halted]).toEqual([[false, false], 1]);
  });
});
