import { z } from "@hono/zod-openapi";
import { optional } from "#contract/catalogue/common.ts";
import { givenText } from "#contract/text.ts";
import type { Context } from "#platform/context.ts";
import { callerKey } from "#platform/operations/caller.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import { GenAi, type GenAiOptions, maxQuestion } from "#services/api/features/genai/service.ts";

const GenAIRequest = z.object({ body: givenText({ min: 1, max: maxQuestion }) })
  .openapi("GenAIRequest");
const GenAIResponse = z.object({ body: optional(z.string()) }).openapi("GenAIResponse");

const ask = operation({
  id: "genAiQuestion",
  method: "post",
  path: "/api/genai/ask",
  tag: "genai",
  summary: "Ask a question in natural language, if a service for questions is configured",
  access: "signed-in",
  activity: { none: "a question changes nothing" },
  reads: true,
  body: GenAIRequest,
  responses: { 200: { description: "The answer", schema: GenAIResponse } },
});

/** The operation for questions in natural language; `stop` ends those that wait. */
export function genAiRoutes(
  context: Pick<Context, "config" | "metrics" | "log">,
  options: GenAiOptions = {},
): { routes: Route[]; stop: () => void } {
  const genAi = new GenAi(context, options);
  const routes = [
    serve(
      ask,
      async ({ body, request, actor }) =>
        ok({ body: await genAi.ask(body.body, request.signal, callerKey(actor)) }),
    ),
  ];
  return { routes, stop: () => genAi.stop() };
}
