import {
  argument,
  type Here,
  type IntegrationSpec,
  platformUrl,
  snippet,
} from "#services/api/features/integrations/integration.ts";

const token = argument("personal_token", "A personal token of yours that may read (scope READ)");
const bearer = "Bearer {{personal_token}}";
const url = "{{platform_url}}/mcp";

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** Arguments of JSON are shown on one line each, so that a token is easily replaced. */
const headers = ({ signIn }: Here) => signIn ? { headers: { Authorization: bearer } } : {};

const command = ({ signIn }: Here) =>
  `claude mcp add --transport http tributary ${url}` +
  (signIn ? ` --header 'Authorization: ${bearer}'` : "") + "\n";

const cursor = (here: Here) => json({ mcpServers: { tributary: { url, ...headers(here) } } });
const vsCode = (here: Here) =>
  json({ servers: { tributary: { type: "http", url, ...headers(here) } } });
const bridged = ({ signIn }: Here) => {
  const to = ["-y", "mcp-remote", url];
  // Without a blank, which some desktop programs part arguments at.
  const header = signIn ? ["--header", "Authorization:${AUTHORIZATION}"] : [];
  const env = signIn ? { env: { AUTHORIZATION: bearer } } : {};
  return json({ mcpServers: { tributary: { command: "npx", args: [...to, ...header], ...env } } });
};

const listing = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}';
const curl = ({ signIn }: Here) =>
  [
    `curl -i -X POST '${url}' \\`,
    ...signIn ? [`  -H 'authorization: ${bearer}' \\`] : [],
    "  -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' \\",
    `  -d '${listing}'`,
  ].join("\n");

/** Assistants that ask the catalogue. */
export const mcp: IntegrationSpec = {
  id: "mcp",
  name: "Assistants (MCP)",
  description:
    "Let assistants ask what a table is made of, what breaks if it changes, and what is wrong",
  offered: (here) => here.mcp,
  // Assistants only read: nothing comes by them.
  arrived: "false",
  blocks: (here) => {
    const shown = (template: string) => snippet(template, platformUrl(here), token);
    return [
      {
        title: "Claude Code",
        content: "One command." +
          (here.signIn
            ? " Make a personal token of scope READ beforehand: the assistant may then read what you may, and change nothing."
            : ""),
        code_snippets: [shown(command(here))],
      },
      {
        title: "Cursor",
        content: "In `~/.cursor/mcp.json`, or `.cursor/mcp.json` of a project.",
        code_snippets: [shown(cursor(here))],
      },
      {
        title: "Visual Studio Code",
        content: "In `.vscode/mcp.json` of a project.",
        code_snippets: [shown(vsCode(here))],
      },
      {
        title: "Clients that only start programs",
        content:
          "Claude Desktop's `claude_desktop_config.json`, for instance: a bridge passes on what they ask.",
        code_snippets: [shown(bridged(here))],
      },
      {
        title: "Try it",
        content:
          "Any client of the Model Context Protocol over Streamable HTTP will do. This lists the tools.",
        code_snippets: [shown(curl(here))],
      },
    ];
  },
};
