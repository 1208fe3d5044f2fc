import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { AirflowSettings } from "#contract/connections/airflow.ts";
import { sourceCatrn } from "#platform/connections/kinds.ts";
import type { Session } from "../../../connector.ts";
import { type RecordedServer, recordedServer } from "../../../testing/server.ts";
import { refusedHosts } from "../../../testing/hosts.ts";
import { plainSession } from "../../../testing/source.ts";

export const password = "s3cret-airflow";
const token = "s3cret-token-of-airflow";

/** What Airflow 2.10.5 and 3.0.6 answered for three DAGs, without what is not read. */
export function recordedAnswers(version: 2 | 3): Map<string, unknown> {
  const file = new URL(`airflow-${version}.json`, import.meta.url);
  return new Map(Object.entries(JSON.parse(readFileSync(file, "utf8")) as object));
}

/** Whether a request carries what Airflow asks for: a password in version 2, a token in version 3. */
function isSignedIn({ headers }: IncomingMessage, version: 2 | 3): boolean {
  const basic = `Basic ${btoa(`reader:${password}`)}`;
  return headers.authorization === `Bearer ${token}` ||
    version === 2 && headers.authorization === basic;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

/** A server with recorded answers below `/air`; under `/slow` it never answers. */
export function airflowServer(
  version: 2 | 3,
  answers: Map<string, unknown> = recordedAnswers(version),
): Promise<RecordedServer> {
  return recordedServer(async (request, path) => {
    if (path.startsWith("/slow/")) return null;
    if (!path.startsWith("/air/")) return 404;
    const at = path.slice("/air".length);
    if (at === "/auth/token" && version === 3) {
      const body = await bodyOf(request);
      const given = JSON.stringify({ username: "reader", password });
      return body === given ? { access_token: token } : 401;
    }
    if (at.endsWith("/version")) return answers.get(at) ?? 404;
    return isSignedIn(request, version) ? answers.get(at) ?? 404 : 401;
  });
}

/** What a session has that differs from the usual one. */
type AirflowSessionParts = Partial<Omit<Session<AirflowSettings>, "settings">> & {
  settings?: Partial<AirflowSettings>;
};

/** A session over such a server. */
export function airflowSession(
  server: Pick<RecordedServer, "url">,
  more: AirflowSessionParts = {},
): Session<AirflowSettings> {
  const { settings: given, ...rest } = more;
  const base = { url: `${server.url}/air`, user: "reader", namespace: "shop" };
  const settings = AirflowSettings.parse({ ...base, ...given });
  return {
    ...plainSession(),
    settings,
    secrets: new Map([["password", password]]),
    source: sourceCatrn("airflow", settings),
    ...rest,
  };
}

/** Sessions over Airflow at `url` with which every check and read fails, by the reason. */
export function failingSessions(
  over: (more: AirflowSessionParts) => Session,
  url: () => string,
): Record<string, () => Session> {
  return {
    "wrong password": () => over({ secrets: new Map([["password", "not-the-s3cret"]]) }),
    "wrong token": () => over({ secrets: new Map([["token", "not-the-s3cret"]]) }),
    "no Airflow": () => over({ settings: { url: `${url()}/elsewhere` } }),
    "unreachable": () => over({ settings: { url: "http://127.0.0.1:1" } }),
    ...refusedHosts((url, address) => over({ settings: { url }, address })),
  };
}
