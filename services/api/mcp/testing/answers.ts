import { expect } from "vitest";
import { maxAnswer } from "#services/api/mcp/limits.ts";
import type { McpClient } from "#services/api/mcp/testing/clients.ts";
import { tools } from "#services/api/mcp/tools/all.ts";

// deno-lint-ignore no-explicit-any -- tests look into answers of every shape
export type Answer = any;

/** What a tool answers: the same as object and as text, of the shape that it declares, and not too large. */
export async function checkedAnswer(
  client: McpClient,
  tool: string,
  given: object,
): Promise<Answer> {
  const { content, structuredContent, isError } = await client.call(tool, { ...given });
  expect([isError ?? false, isError && content[0]!.text]).toEqual([false, undefined]);
  expect(JSON.parse(content[0]!.text)).toEqual(structuredContent);
  expect(new TextEncoder().encode(content[0]!.text).length).toBeLessThanOrEqual(maxAnswer);
  const declared = tools.find((one) => one.name === tool)!.output;
  expect(declared.safeParse(structuredContent).error).toBeUndefined();
  return structuredContent;
}

/** The words of the error that a tool answers. */
export async function errorFrom(client: McpClient, tool: string, given: object): Promise<string> {
  const { content, isError } = await client.call(tool, { ...given });
  expect(isError).toBe(true);
  return content[0]!.text;
}
