import { publishedDocuments } from "#services/api/openapi.ts";
import { type PublishedOperation, publishedOperations } from "./compare.ts";
import { allMembers, type Member, publishedShapes, type Shape } from "./members.ts";
import {
  isOfType,
  type JsonSchema,
  nameOf,
  propertiesOf,
  requiredOf,
  type Schemas,
} from "./schema.ts";

interface ServedOperation {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema?: JsonSchema }> }>;
}

interface Document {
  paths: Record<string, Record<string, ServedOperation>>;
  components: { schemas: Record<string, JsonSchema> };
}

/**
 * Everything in which the parameters, bodies, answers and shapes that are served differ from the published contract so
 * that a client of it could notice, one sentence each: `getOwnerList: …` of an operation, `Owner: …` of a shape. What
 * is added, and an input that may be left out, are no differences.
 */
export function interfaceDifferences(): string[] {
  const { platform } = publishedDocuments() as unknown as { platform: Document };
  const schemas: Schemas = new Map(Object.entries(platform.components.schemas));
  const served = new Map(
    Object.values(platform.paths).flatMap((methods) => Object.values(methods))
      .map((one) => [one.operationId, one]),
  );
  const operations = publishedOperations().filter(({ family }) => family !== "ingestion");
  return [
    ...operations.flatMap((one) => {
      const found = served.get(one.id);
      return found ? operationDifferences(schemas, one, found) : [];
    }),
    ...shapeDifferences(schemas, inputShapes(schemas, served.values())),
  ];
}

function operationDifferences(
  schemas: Schemas,
  one: PublishedOperation,
  served: ServedOperation,
): string[] {
  const given = (served.parameters ?? []).filter((parameter) => parameter.in === "query");
  const parameters = one.query.flatMap((member) => {
    const found = given.find(({ name }) => name === member.name);
    if (!found) return [`query parameter ${member.name} is missing`];
    if (found.required && !member.required) return [`query parameter ${member.name} is required`];
    return isOfType(schemas, found.schema, member.type)
      ? []
      : [`query parameter ${member.name} is no ${member.type}`];
  });
  const all = [
    ...parameters,
    ...bodyDifferences(schemas, one, served),
    ...answerDifferences(schemas, one, served),
  ];
  return all.map((difference) => `${one.id}: ${difference}`);
}

function bodyDifferences(
  schemas: Schemas,
  { body }: PublishedOperation,
  served: ServedOperation,
): string[] {
  const content = Object.values(served.requestBody?.content ?? {})[0];
  if (body === "") return [];
  if (!content) return [`the body ${body} is missing`];
  return isOfType(schemas, content.schema, body) ? [] : [`the body is no ${body}`];
}

/** Published 201s are answered as 200, which is told once for all. */
function answerDifferences(
  schemas: Schemas,
  { status, result }: PublishedOperation,
  served: ServedOperation,
): string[] {
  const found = served.responses[status] ?? served.responses[status === "201" ? "200" : status];
  if (!found) return [`status ${status} is not answered`];
  if (result === "") return found.content ? ["an answer without a body is published"] : [];
  const binary = /^binary\((.*)\)$/.exec(result)?.[1];
  const types = Object.keys(found.content ?? {});
  if (binary !== undefined) return types.includes(binary) ? [] : [`the answer is no ${binary}`];
  const schema = Object.values(found.content ?? {})[0]?.schema;
  return schema && isOfType(schemas, schema, result) ? [] : [`the answer is no ${result}`];
}

function shapeDifferences(schemas: Schemas, inputs: Set<string>): string[] {
  const shapes = publishedShapes();
  return [...shapes.values()].flatMap((shape) => {
    const served = schemas.get(shape.name);
    if (!served) return [];
    const all = shape.values
      ? valueDifferences(shape.values, served)
      : memberDifferences(schemas, shapes, shape, inputs);
    return all.map((difference) => `${shape.name}: ${difference}`);
  });
}

function valueDifferences(values: string[], served: JsonSchema): string[] {
  const given = served.enum ?? [];
  return [
    ...values.filter((value) => !given.includes(value)).map((value) => `${value} is missing`),
    ...given.filter((value) => !values.includes(String(value)))
      .map((value) => `${value} is not published`),
  ];
}

function memberDifferences(
  schemas: Schemas,
  shapes: Map<string, Shape>,
  { name }: Shape,
  inputs: Set<string>,
): string[] {
  const [given, required] = [
    propertiesOf(schemas, schemas.get(name)!),
    requiredOf(schemas, schemas.get(name)!),
  ];
  return allMembers(shapes, name).flatMap((member) => {
    const found = given.get(member.name);
    if (!found) return [`${member.name} is missing`];
    const stricter = strictness(member, required.includes(member.name), inputs.has(name));
    if (stricter) return [`${member.name} ${stricter}`];
    return isOfType(schemas, found, member.type) ? [] : [`${member.name} is no ${member.type}`];
  });
}

function strictness(member: Member, required: boolean, input: boolean): string | undefined {
  if (input) return required && !member.required ? "is required" : undefined;
  return member.required && !required ? "may be missing" : undefined;
}

/** The shapes that bodies are made of, and no answer is. */
function inputShapes(schemas: Schemas, served: Iterable<ServedOperation>): Set<string> {
  const [inputs, answers] = [new Set<string>(), new Set<string>()];
  for (const { requestBody, responses } of served) {
    for (const { schema } of Object.values(requestBody?.content ?? {})) {
      collect(schemas, schema, inputs);
    }
    for (const { content } of Object.values(responses)) {
      for (const { schema } of Object.values(content ?? {})) {
        collect(schemas, schema ?? {}, answers);
      }
    }
  }
  return new Set([...inputs].filter((name) => !answers.has(name)));
}

function collect(schemas: Schemas, schema: JsonSchema, names: Set<string>): void {
  if (schema.$ref) {
    const name = nameOf(schema.$ref);
    if (names.has(name)) return;
    names.add(name);
    return collect(schemas, schemas.get(name) ?? {}, names);
  }
  const parts = [
    ...Object.values(schema.properties ?? {}),
    ...schema.anyOf ?? [],
    ...schema.allOf ?? [],
  ];
  for (const part of schema.items ? [...parts, schema.items] : parts) collect(schemas, part, names);
}
