import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const clientId = "catalogue";
export const clientSecret = "a secret of the client, long enough";

/** A real OpenID provider, whose one user signs in without being asked. */
export interface OpenIdProvider {
  issuer: string;
  /** Its private key, RS256, with the key id `first`. */
  key: KeyObject;
  /** Who signs in, with their claims; null: whoever it is refuses. */
  user: { sub: string; [claim: string]: unknown } | null;
  /** Changes ID tokens that are handed out. */
  tamper: ((idToken: string) => string) | undefined;
  /** Paths that were requested. */
  requests: string[];
  /** Makes a code unknown, as one that has expired is. */
  expire(code: string): Promise<void>;
  close(): Promise<void>;
}

export interface OpenIdProviderOptions {
  /** Where the service awaits people: `http://localhost:8080`. */
  base: string;
  /** Id of the client at the service. */
  id: string;
  port?: number;
  /** Whether claims are in ID tokens; else only in user information. */
  inIdToken?: boolean;
}

// The package has no types of its own, so it is imported unseen, and declared here as far as it is used.
const packaged = "oidc-provider";
const { default: Provider } = await import(packaged) as {
  default: new (issuer: string, settings: object) => Engine;
};
interface Engine {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  use(middleware: (context: Ctx, next: () => Promise<void>) => Promise<void>): void;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: object,
  ): Promise<void>;
  AuthorizationCode: { find(code: string): Promise<{ destroy(): Promise<void> } | undefined> };
  Grant: new (given: object) => { addOIDCScope(scope: string): void; save(): Promise<unknown> };
}
interface Ctx {
  path: string;
  body: { id_token?: string } | undefined;
  oidc: { client: { clientId: string }; session: { accountId: string } };
}

const scopes = "openid profile email";
const claims = [
  ...["sub", "preferred_username", "email", "email_verified", "hd"],
  ...["groups", "realm_access", "steward", "padding"],
];

/** All providers of a process sign with it: to find one takes a tenth of a second. */
const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

/** Starts a provider on the loopback address. */
export async function startOpenIdProvider(options: OpenIdProviderOptions): Promise<OpenIdProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((ready) => void server.listen(options.port ?? 0, "127.0.0.1", ready));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: OpenIdProvider = {
    issuer,
    key,
    user: { sub: "1", preferred_username: "ada" },
    tamper: undefined,
    requests: [],
    expire: async (code) => void await (await engine.AuthorizationCode.find(code))?.destroy(),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  const engine = engineOf(issuer, key, options, () => state);
  engine.use(async (context, next) => {
    state.requests.push(context.path);
    await next();
    const { body } = context;
    if (context.path === "/token" && body?.id_token && state.tamper) {
      context.body = { ...body, id_token: state.tamper(body.id_token) };
    }
  });
  const served = engine.callback();
  handle = (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return served(request, response);
    const result = state.user
      ? { login: { accountId: state.user.sub } }
      : { error: "access_denied", error_description: "<script>hunter2</script>" };
    void engine.interactionFinished(request, response, result);
  };
  return state;
}

function engineOf(
  issuer: string,
  key: KeyObject,
  { base, id, inIdToken }: OpenIdProviderOptions,
  state: () => OpenIdProvider,
): Engine {
  const jwk = { ...key.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: "first" };
  const engine: Engine = new Provider(issuer, {
    clients: [{
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [`${base}/login/oauth2/code/${id}`],
      post_logout_redirect_uris: [`${base}/login`],
    }],
    jwks: { keys: [jwk] },
    claims: { openid: claims, profile: ["name"], email: [] },
    conformIdTokenClaims: !inIdToken,
    cookies: { keys: ["of one test"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => false },
    ttl: { AccessToken: 600, IdToken: 600, Session: 600, Interaction: 600, Grant: 600 },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ ...state().user, sub: accountId }),
    }),
    async loadExistingGrant({ oidc }: Ctx) {
      const { client: { clientId }, session: { accountId } } = oidc;
      const grant = new engine.Grant({ clientId, accountId });
      grant.addOIDCScope(scopes);
      await grant.save();
      return grant;
    },
  });
  return engine;
}
