import { anonymous } from "#contract/actor.ts";
import { callerOf } from "#platform/http/pages.ts";
import { openAccess } from "#platform/operations/access.ts";
import { admit } from "#platform/operations/call.ts";
import { publishedRoutes } from "#services/api/openapi.ts";
import { inTurn, type Sample, timed } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import { type EngineSet, startSubject, type Subject } from "../support/subject.ts";
import { bindToPolicies, entityFor, type PolicySize } from "./people.ts";

export interface AccessSize extends PolicySize {
  runs: number;
}

export const accessSizes = {
  small: { runs: 10, policies: 2, statements: 2 },
  full: { runs: 400, policies: 20, statements: 20 },
} as const satisfies Record<string, AccessSize>;

const key = "key-of-the-benchmark-of-32-letters";
const env = {
  AUTH_TYPE: "LOGIN_FORM",
  AUTH_LOGIN_FORM_CREDENTIALS: "ada:password-of-the-benchmark",
  AUTH_S2S_ENABLED: "true",
  AUTH_S2S_TOKEN: key,
};

/** Something that sends one request and reads its answer. */
type Send = () => Promise<unknown>;

/**
 * The time of a request by each kind of caller next to the same request where nobody signs in. A session of OAUTH2 or
 * LDAP is that of the form: only signing in differs.
 */
export async function accessBench(engines: EngineSet, size: AccessSize): Promise<Row[]> {
  const subjects = {
    disabled: await startSubject(engines),
    form: await startSubject(engines, { env }),
    gates: await startSubject(engines, { env: { ...env, AUTH_ENFORCE_ALL_GATES: "true" } }),
  };
  try {
    return [await disabledRow(engines, size), ...await rowsOf(engines, subjects, size)];
  } finally {
    for (const subject of Object.values(subjects)) await subject.stop();
  }
}

type Subjects = Record<"disabled" | "form" | "gates", Subject>;

async function rowsOf(
  engines: EngineSet,
  { disabled, form, gates }: Subjects,
  size: AccessSize,
): Promise<Row[]> {
  const session = { cookie: await signedIn(form) };
  await bindToPolicies(gates.db, "ada", size);
  const bound = { cookie: await signedIn(gates) };
  const token = await personalToken(form, session);
  const read = async (subject: Subject, headers: HeadersInit) =>
    reading(subject, await entityFor(subject), headers);
  const write = async (subject: Subject, headers: HeadersInit) =>
    writing(subject, await entityFor(subject), headers);
  const times = await inTurn({
    "read, disabled": await read(disabled, {}),
    "read, session": await read(form, session),
    "read, service key": await read(form, { "x-api-key": key }),
    "read, personal token": await read(form, { authorization: `Bearer ${token}` }),
    "write, disabled": await write(disabled, {}),
    "write, service key": await write(gates, { "x-api-key": key }),
    "write, session with policies": await write(gates, bound),
  }, { runs: size.runs, warmup: 20, budgetMs: 120_000 });
  const of = (name: keyof typeof times, base: keyof typeof times) =>
    added(engines, name, times[name], times[base]);
  return [
    of("read, session", "read, disabled"),
    of("read, service key", "read, disabled"),
    of("read, personal token", "read, disabled"),
    of("write, service key", "write, disabled"),
    of("write, session with policies", "write, disabled"),
  ];
}

function added(engines: EngineSet, name: string, ours: Sample, base: Sample): Row {
  return row({
    bench: "access",
    engines,
    case: `${name}, p50`,
    unit: "ms",
    ours: ours.p50,
    yardstick: base.p50,
    goal: "≤ 1 ms more",
    note: `${(ours.p50 - base.p50).toFixed(2)} ms more`,
  }, () => ours.p50 - base.p50 <= 1);
}

/** What asking who calls, and whether they may, costs where nobody signs in. */
async function disabledRow(engines: EngineSet, { runs }: AccessSize): Promise<Row> {
  const route = publishedRoutes().find(({ spec }) => spec.id === "updateAlertConfig")!;
  const request = new Request("http://localhost/");
  const given = { params: { data_entity_id: "1" } };
  const rounds = runs * 50;
  const ask = async () => {
    for (let i = 0; i < rounds; i++) {
      const caller = await callerOf(request, "127.0.0.1", "signed-in", openAccess);
      await admit(route, given, caller, openAccess.authorizer);
    }
  };
  const bare = async () => {
    for (let i = 0; i < rounds; i++) {
      await route.spec.params!.safeParseAsync(given.params);
      await Promise.resolve(anonymous);
    }
  };
  await ask();
  await bare();
  const [ours, yardstick] = [await timed(ask) / rounds, await timed(bare) / rounds];
  return row({
    bench: "access",
    engines,
    case: "asking who may call, disabled",
    unit: "ms",
    ours,
    yardstick,
    goal: "≤ 0.1 ms more",
  }, () => ours - yardstick <= 0.1);
}

async function signedIn(subject: Subject): Promise<string> {
  const response = await fetch(new URL("/login", subject.url), {
    method: "POST",
    body: new URLSearchParams({ username: "ada", password: "password-of-the-benchmark" }),
    redirect: "manual",
  });
  await response.body?.cancel();
  const cookie = response.headers.getSetCookie()[0]?.split(";", 1)[0];
  if (!cookie) throw new Error(`nobody was signed in: ${response.status}\n${subject.said()}`);
  return cookie;
}

async function personalToken(subject: Subject, headers: HeadersInit): Promise<string> {
  const response = await fetch(new URL("/api/identity/tokens", subject.url), {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ name: "benchmark", scope: "READ" }),
  });
  if (!response.ok) throw new Error(`no token: ${response.status} ${await response.text()}`);
  return (await response.json() as { value: string }).value;
}

const reading = (subject: Subject, id: number, headers: HeadersInit): Send => () =>
  answered(
    subject,
    fetch(new URL(`/api/dataentities/${id}/alert_config`, subject.url), { headers }),
  );

const writing = (subject: Subject, id: number, headers: HeadersInit): Send => () =>
  answered(
    subject,
    fetch(new URL(`/api/dataentities/${id}/alert_config`, subject.url), {
      method: "PUT",
      headers: { ...headers, "content-type": "application/json" },
      body: "{}",
    }),
  );

async function answered(subject: Subject, response: Promise<Response>): Promise<void> {
  const { status, ...rest } = await response.then(async (r) => ({
    status: r.status,
    text: await r.text(),
  }));
  if (status !== 200) throw new Error(`${status}: ${rest.text}\n${subject.said()}`);
}
