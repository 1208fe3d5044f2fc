import {
  argument,
  type IntegrationSpec,
  platformUrl,
  post,
  snippet,
} from "#services/api/features/integrations/integration.ts";

const config = `platform_host_url: "{{platform_url}}"
token: "{{collector_token}}"
default_pulling_interval: {{minutes}}
plugins:
  - type: postgresql
    name: "{{source_name}}"
    host: "{{database_host}}"
    port: {{database_port}}
    database: "{{database}}"
    user: "{{database_user}}"
    password: !ENV \${DATABASE_PASSWORD}
`;

const composeFile = `services:
  collector:
    image: "{{image}}"
    restart: always
    environment:
      DATABASE_PASSWORD: \${DATABASE_PASSWORD}
    volumes:
      - ./collector_config.yaml:/app/collector_config.yaml
`;

/** Collectors of the ecosystem. */
export const collectors: IntegrationSpec = {
  id: "collectors",
  name: "ODD collectors",
  description: "Read databases, warehouses, dashboards and pipelines at intervals",
  arrived: `EXISTS (SELECT FROM data_source s WHERE s.collector_id IS NOT NULL
    AND EXISTS (SELECT FROM data_entity e WHERE e.data_source_id = s.id))`,
  blocks: (here) => [
    {
      title: "Register a collector",
      content: "The answer holds its token, which is shown this once." +
        (here.signIn ? " The call needs a personal token of a user with `COLLECTOR_CREATE`." : ""),
      code_snippets: [
        snippet(
          post(
            "/api/collectors",
            here.signIn ? "personal_token" : undefined,
            `{"name": "{{collector_name}}"}`,
          ),
          platformUrl(here),
          argument("personal_token", "Your personal token"),
          argument("collector_name", "Name of the collector"),
        ),
      ],
    },
    {
      title: "Configure it",
      content:
        "Collectors of the upstream ecosystem work unchanged. One collector reads any number of sources: each is a " +
        "plugin in `collector_config.yaml`, whose members depend on its type. It registers its data sources itself.",
      code_snippets: [
        snippet(
          config,
          platformUrl(here),
          argument("collector_token", "Token of the collector"),
          argument("minutes", "Minutes between two readings", "INTEGER"),
          argument("source_name", "Name of the data source"),
          argument("database_host", "Host of the database"),
          argument("database_port", "Port of the database", "INTEGER"),
          argument("database", "Name of the database"),
          argument("database_user", "User of the database, who may only read"),
        ),
      ],
    },
    {
      title: "Run it",
      content:
        "With Docker Compose, next to that file; the image is that of the collector for your kind of sources.",
      code_snippets: [snippet(composeFile, argument("image", "Image of the collector"))],
    },
  ],
};

const sink = `sink:
  type: datahub-rest
  config:
    server: "{{platform_url}}/integrations/datahub"
    token: "{{collector_token}}"
`;

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
          sink,
          platformUrl(here),
          argument("collector_token", "Token of a collector; leave it out where none is required"),
        ),
      ],
    },
  ],
};
