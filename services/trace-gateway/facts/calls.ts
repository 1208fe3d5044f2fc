import type { ServiceIdentity } from "#contract/traces.ts";
import type { Attributes, SpanModel } from "../model.ts";
import { clean, hostAndPort, raw, text } from "./attributes.ts";
import { hostOf, type PathBudget, pathOf, templated } from "./paths.ts";

const methods = new Set(
  "GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT TRACE QUERY".split(" "),
);

/**
 * What is called, with few values for a service: `GET /orders/{id}` by the route or template that the
 * instrumentation knows, else by the path with what looks like an identifier folded;
 * `package.Service/Method` of an RPC; else the span's name, folded likewise.
 */
export function operationOf(
  { attributes, name }: SpanModel,
  service: ServiceIdentity,
  budget: PathBudget,
): string | null {
  const method = text(attributes, "http.request.method", "http.method");
  if (method === null) return rpcOperation(attributes) ?? namedOperation(name, service, budget);
  const known = method.toUpperCase();
  const verb = methods.has(known) ? known : "HTTP";
  const path = routeOf(attributes) ?? foldedPath(attributes, service, budget);
  return path === null ? verb : `${verb} ${path}`;
}

function rpcOperation(attributes: Attributes): string | null {
  const service = text(attributes, "rpc.service");
  const method = text(attributes, "rpc.method");
  if (method === null) return service;
  // By the newest conventions the method includes its service.
  return service === null || method.includes("/")
    ? method.replace(/^\//, "")
    : `${service}/${method}`;
}

function namedOperation(name: string, service: ServiceIdentity, budget: PathBudget): string | null {
  const words = clean(name).split(" ").slice(0, 6);
  const folded = words.map((word) => word.includes("/") ? templated(word) : foldedWord(word));
  const operation = folded.join(" ");
  if (operation === "") return null;
  const bounded = budget.within(`${service.namespace} ${service.name} named`, operation);
  return bounded === operation ? operation : "{operation}";
}

function foldedWord(word: string): string {
  return templated(word).slice(1) || word;
}

function routeOf(attributes: Attributes): string | null {
  const route = text(attributes, "http.route", "url.template");
  if (route === null) return null;
  const path = pathOf(route) ?? `/${route}`;
  return path.split(/[?#]/, 1)[0]!;
}

function foldedPath(
  attributes: Attributes,
  service: ServiceIdentity,
  budget: PathBudget,
): string | null {
  const url = raw(attributes, "url.path", "http.target", "url.full", "http.url");
  const path = url === null ? null : pathOf(url);
  if (path === null) return null;
  return budget.within(`${service.namespace} ${service.name}`, templated(path));
}

/** Ports that say nothing next to the host. */
const usual = /:(80|443)$/;

/**
 * The other side as a client knows it: the name that its operator gave (`peer.service`), else
 * `host` or `host:port`; ports 80 and 443 are left out.
 */
export function peerOf(attributes: Attributes): string | null {
  const given = text(attributes, "service.peer.name", "peer.service");
  if (given !== null) return given;
  return addressOf(attributes)?.replace(usual, "") ?? null;
}

/** Where the other side listens, by whichever convention is used. */
export function addressOf(attributes: Attributes): string | null {
  const url = raw(attributes, "url.full", "http.url");
  return hostAndPort(text(attributes, "server.address"), text(attributes, "server.port")) ??
    hostAndPort(text(attributes, "net.peer.name"), text(attributes, "net.peer.port")) ??
    hostAndPort(text(attributes, "http.host"), null) ??
    (url === null ? null : hostOf(url)) ??
    hostAndPort(text(attributes, "net.sock.peer.name"), text(attributes, "net.sock.peer.port")) ??
    hostAndPort(
      text(attributes, "network.peer.address", "net.sock.peer.addr", "net.peer.ip"),
      text(attributes, "network.peer.port", "net.sock.peer.port", "net.peer.port"),
    );
}
