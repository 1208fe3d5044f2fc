import { z } from "@hono/zod-openapi";
import { optional } from "#contract/catalogue/common.ts";

const preview = {
  id: z.string(),
  name: z.string(),
  description: z.string(),
  installed: z.boolean().openapi({
    description: "Whether anything that came by it is in the catalogue",
  }),
};

export const IntegrationPreview = z.object(preview).openapi("IntegrationPreview");
export const IntegrationPreviewList = z.object({ items: z.array(IntegrationPreview) })
  .openapi("IntegrationPreviewList");

const ArgumentType = z.enum(["INTEGER", "STRING", "BOOLEAN", "FLOAT"])
  .openapi("IntegrationCodeSnippetArgumentType");
const Argument = z.object({
  parameter: z.string().openapi({ description: "Its name in the template, between braces" }),
  name: z.string().openapi({ description: "What people read of it" }),
  type: ArgumentType,
  static_value: optional(
    z.string().openapi({
      description: "What this server knows; null: to be filled in",
    }),
  ),
}).openapi("IntegrationCodeSnippetArgument");
export type Argument = z.output<typeof Argument>;

const Snippet = z.object({
  template: z.string().openapi({ description: "Text with {{parameters}}" }),
  arguments: optional(z.array(Argument)),
}).openapi("IntegrationCodeSnippet");
export type Snippet = z.output<typeof Snippet>;

const Block = z.object({
  title: z.string(),
  content: z.string().openapi({ description: "Markdown" }),
  code_snippets: z.array(Snippet),
}).openapi("IntegrationContentBlock");
export type Block = z.output<typeof Block>;

export const Integration = z.object({ ...preview, content_blocks: z.array(Block) })
  .openapi("Integration");
