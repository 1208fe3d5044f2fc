import { Ajv2020 } from "ajv/dist/2020.js";
import type { Route } from "#platform/operations/declare.ts";
import { openApiDocument, publishedDocuments, publishedRoutes } from "#services/api/openapi.ts";
import type { Answer } from "#test/support/http/api.ts";
import { leftOut } from "#test/support/http/contract-nulls.ts";

type Json = Record<string, unknown>;
type Documents = Record<"platform" | "ingestion", object>;
type Check = (body: unknown) => string | null;

/** What the OpenAPI documents say of the answers and bodies of operations. */
interface Documented {
  answer(route: Route, status: number): Check;
  body(route: Route): Check;
}

/** Compiles each shape once, when an operation is first called. */
function documentedIn(documents: Documents): Documented {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    allErrors: true,
    // Compiling costs more than checking: each shape once, as it is.
    inlineRefs: false,
    code: { optimize: false },
  });
  for (const [name, document] of Object.entries(documents)) ajv.addSchema(document, name);
  const checks = new Map<string, Check>();
  const check = ({ spec: { document, path, method } }: Route, place: string): Check => {
    const pointer = `/paths/${escaped(path)}/${method}/${place}`;
    const known = checks.get(pointer);
    if (known) return known;
    const declared = at(documents[document] as Json, pointer);
    const made = compiled(ajv, document, declared, pointer);
    checks.set(pointer, made);
    return made;
  };
  return {
    answer: (route, status) => check(route, `responses/${status}`),
    body: (route) => check(route, "requestBody"),
  };
}

const placeOf = ({ spec: { id, method, path } }: Route) => `${id} ${method} ${path}`;

let published: { operations: Set<string>; documented: Documented } | undefined;

/** By the published documents, which all tests of a process share, since they cost much to make; or by those of routes that a test has made. */
function documentedOf(routes: Route[]): Documented {
  published ??= {
    operations: new Set(publishedRoutes().map(placeOf)),
    documented: documentedIn(publishedDocuments()),
  };
  const { operations, documented } = published;
  if (routes.every((route) => operations.has(placeOf(route)))) return documented;
  return documentedIn({
    platform: openApiDocument(routes, "platform"),
    ingestion: openApiDocument(routes, "ingestion"),
  });
}

let served: { text: string; documented: Documented } | undefined;

/** By documents that an instance serves: instances of one process mostly serve the same. */
function documentedBy(documents: Documents): Documented {
  const text = JSON.stringify(documents);
  if (served?.text !== text) served = { text, documented: documentedIn(documents) };
  return served.documented;
}

/**
 * Holds answers to what is declared: by the zod schema of the operation, in which nothing may be
 * left over and no promised null left out, and by the OpenAPI documents: those of the routes unless given. Throws what is
 * wrong.
 */
export function contractOf(
  routes: Route[],
  documents?: Documents,
): (method: string, path: string, answer: Answer, sent?: unknown) => void {
  let documented: Documented | undefined;
  return (method, path, answer, sent) => {
    const where = `${method} ${path} ${answer.status}`;
    const route = routeOf(routes, method, new URL(path, "http://host").pathname);
    if (!route) return;
    documented ??= documents ? documentedBy(documents) : documentedOf(routes);
    const problem = mayBeEmpty(route, answer) || isText(route, answer)
      ? null
      : documented.answer(route, answer.status)(answer.json) ?? byZod(route, answer);
    if (problem) throw new Error(`${where}: ${problem}\n${answer.text.slice(0, 1_000)}`);
    // The upstream spelling is taken everywhere and documented nowhere.
    const whole = !answer.headers.has("x-ingestion-refused");
    if (sent && whole && answer.status < 300 && !JSON.stringify(sent).includes("oddrn")) {
      const unlike = documented.body(route)(sent);
      if (unlike) throw new Error(`${where}: taken, but not as documented: ${unlike}`);
    }
    const type = answer.headers.get("content-type") ?? "";
    const { contentType = "application/json", textTypes = [] } =
      route.spec.responses[answer.status] ?? {};
    const wanted = [contentType, textTypes].flat();
    if (answer.text !== "" && !wanted.some((one) => type.startsWith(one))) {
      throw new Error(`${where}: content type ${type}`);
    }
  };
}

/** An answer without a body, where the declaration leaves it out at times. */
function mayBeEmpty({ spec }: Route, { status, text }: Answer): boolean {
  const schema = spec.responses[status]?.schema;
  return text === "" && schema !== undefined && schema.safeParse(undefined).success;
}

/** A text, where the declaration has one beside JSON. */
function isText({ spec }: Route, { status, headers }: Answer): boolean {
  const type = headers.get("content-type") ?? "";
  return (spec.responses[status]?.textTypes ?? []).some((one) => type.startsWith(one));
}

function byZod({ spec }: Route, answer: Answer): string | null {
  const { schema, contentType } = spec.responses[answer.status] ?? {};
  // What is no JSON was not parsed.
  if (!schema || contentType) return null;
  const result = schema.safeParse(answer.json);
  if (!result.success) return `not the declared shape: ${result.error.message}`;
  const extra = leftOver(answer.json, result.data, "");
  if (extra) return `undeclared ${extra}`;
  const missing = leftOut(schema, answer.json);
  return missing ? `left out, though promised as null: ${missing}` : null;
}

/** The first key that parsing dropped. */
function leftOver(given: unknown, parsed: unknown, path: string): string | null {
  if (typeof given !== "object" || given === null) return null;
  if (typeof parsed !== "object" || parsed === null) return path;
  for (const [key, value] of Object.entries(given)) {
    if (!(key in parsed)) return `${path}.${key}`;
    const inner = leftOver(value, (parsed as Json)[key], `${path}.${key}`);
    if (inner) return inner;
  }
  return null;
}

function compiled(ajv: Ajv2020, document: string, response: unknown, pointer: string): Check {
  if (!response) return () => "the document does not declare this status";
  if (!at(response as Json, "/content/application~1json/schema")) {
    return (body) => body === undefined ? null : "the document declares no body";
  }
  const ref = `${document}#${encodeURI(pointer)}/content/application~1json/schema`;
  const validate = ajv.compile({ $ref: ref });
  return (body) => (validate(body) ? null : ajv.errorsText(validate.errors));
}

function routeOf(routes: Route[], method: string, path: string): Route | undefined {
  const fits = routes.filter(({ spec }) =>
    spec.method === method.toLowerCase() &&
    new RegExp(`^${spec.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(path)
  );
  return fits.find(({ spec }) => spec.path === path) ?? fits[0];
}

const escaped = (path: string) => path.replaceAll("~", "~0").replaceAll("/", "~1");

function at(document: Json, pointer: string): unknown {
  return pointer.split("/").slice(1).reduce<unknown>(
    (value, step) =>
      (value as Json | undefined)?.[step.replaceAll("~1", "/").replaceAll("~0", "~")],
    document,
  );
}
