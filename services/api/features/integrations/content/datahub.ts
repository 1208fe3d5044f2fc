import {
  argument,
  type IntegrationSpec,
  platformUrl,
  snippet,
} from "#services/api/features/integrations/integration.ts";

const sink = () =>
  [
    "sink:",
    "  type: datahub-rest",
    "  config:",
    `    server: "{{platform_url}}/integrations/datahub"`,
    `    token: "{{collector_token}}"`,
  ].join("\n") + "\n";

/** Collectors of DataHub. */
export const datahub: IntegrationSpec = {
  id: "datahub",
  name: "DataHub",
  description: "Run recipes of DataHub's collectors against this catalogue, unchanged",
  arrived: "EXISTS (SELECT FROM dh_entity WHERE posted <> '{}')",
  blocks: (here) => [
    {
      title: "Point a recipe at it",
      content: "Only the sink of a recipe changes. `datahub ingest -c recipe.yml` then ends with " +
        "`Pipeline finished successfully`.",
      code_snippets: [
        snippet(
          sink(),
          platformUrl(here),
          argument("collector_token", "Token of a collector; leave it out where none is required"),
        ),
      ],
    },
  ],
};
