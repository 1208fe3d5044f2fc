import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** The endpoints of GitHub that sign-in asks: OAuth 2 without ID tokens, and its API. */
export interface FakeGitHub {
  url: string;
  /** Who signs in. */
  user: Record<string, unknown>;
  orgs: string[];
  /** `organization/team` */
  teams: string[];
  requests: string[];
  close(): Promise<void>;
}

const json = (value: unknown, status = 200) => ({
  status,
  body: JSON.stringify(value),
  location: "",
});
type Reply = ReturnType<typeof json>;

/** Starts the fake; codes are single-use and bound by PKCE where it was requested. */
export async function startGitHub(): Promise<FakeGitHub> {
  const codes = new Map<string, string | null>();
  const tokens = new Set<string>();
  const server = createServer(async (request, response) => {
    const { status, body, location } = await reply(request);
    response.writeHead(status, {
      "content-type": "application/json; charset=utf-8",
      ...(location ? { location } : {}),
    }).end(body);
  });
  const reply = async (request: IncomingMessage): Promise<Reply> => {
    const url = new URL(request.url ?? "/", fake.url);
    fake.requests.push(url.pathname);
    if (url.pathname === "/login/oauth/authorize") return authorized(url, codes);
    if (url.pathname === "/login/oauth/access_token") {
      return exchanged(new URLSearchParams(await textOf(request)), codes, tokens);
    }
    const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
    if (!tokens.has(token)) return json({ message: "Bad credentials" }, 401);
    return api(url, fake);
  };
  await new Promise<void>((ready) => void server.listen(0, "127.0.0.1", ready));
  const fake: FakeGitHub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    user: { login: "Ada", id: 1, email: null },
    orgs: [],
    teams: [],
    requests: [],
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return fake;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

function authorized({ searchParams }: URL, codes: Map<string, string | null>): Reply {
  const code = randomUUID();
  codes.set(code, searchParams.get("code_challenge"));
  const back = new URL(searchParams.get("redirect_uri")!);
  back.search = new URLSearchParams({ code, state: searchParams.get("state")! }).toString();
  return { status: 302, body: "", location: back.href };
}

/** Errors are 200, as GitHub's are. */
function exchanged(
  form: URLSearchParams,
  codes: Map<string, string | null>,
  tokens: Set<string>,
): Reply {
  const code = form.get("code") ?? "";
  const challenge = codes.get(code);
  codes.delete(code);
  const verifier = createHash("sha256").update(form.get("code_verifier") ?? "").digest("base64url");
  const right = form.get("client_id") === "catalogue" && form.get("client_secret") === "secret" &&
    (challenge === null || challenge === verifier);
  if (challenge === undefined || !right) return json({ error: "bad_verification_code" });
  const token = randomUUID();
  tokens.add(token);
  return json({ access_token: token, token_type: "bearer", scope: "read:org,read:user" });
}

function api({ pathname, searchParams }: URL, { user, orgs, teams }: FakeGitHub): Reply {
  const page = <T>(all: T[]) => {
    const [size, number] = [Number(searchParams.get("per_page")), Number(searchParams.get("page"))];
    return json(all.slice(size * (number - 1), size * number));
  };
  if (pathname === "/user") return json(user);
  if (pathname === "/user/orgs") return page(orgs.map((login) => ({ login })));
  if (pathname !== "/user/teams") return json({ message: "Not Found" }, 404);
  return page(teams.map((team) => {
    const [login, slug] = team.split("/");
    return { slug, name: slug, organization: { login } };
  }));
}
