import {
  argument,
  type Here,
  type IntegrationSpec,
  platformUrl,
  post,
  snippet,
} from "#services/api/features/integrations/integration.ts";

const token = argument("collector_token", "Token of a collector or data source");

const environment = ({ ingestionToken }: Here) =>
  [
    "export OPENLINEAGE_URL='{{platform_url}}'",
    ...ingestionToken ? ["export OPENLINEAGE_API_KEY='{{collector_token}}'"] : [],
  ].join("\n") + "\n";

const event = `{
    "eventType": "COMPLETE", "eventTime": "2026-03-01T10:00:00Z", "producer": "by-hand",
    "run": {"runId": "0195533a-3d00-7000-8000-000000000000"},
    "job": {"namespace": "{{job_namespace}}", "name": "{{job_name}}"},
    "outputs": [{"namespace": "{{job_namespace}}", "name": "{{table_name}}"}]
  }`;

/** Whatever speaks OpenLineage. */
export const openLineage: IntegrationSpec = {
  id: "openlineage",
  name: "OpenLineage",
  description: "Point any OpenLineage client at this catalogue: runs, lineage and columns",
  offered: (here) => here.openLineage,
  arrived: "EXISTS (SELECT FROM ol_job) OR EXISTS (SELECT FROM ol_dataset)",
  blocks: (here) => [
    {
      title: "Set the variables",
      content: "Clients in Python and Java read them; nothing else changes.",
      code_snippets: [snippet(environment(here), platformUrl(here), token)],
    },
    {
      title: "Try it",
      content:
        "One event by hand: a job that writes a table. It is in the catalogue seconds later; " +
        "what was left out of events is listed under **OpenLineage**.",
      code_snippets: [
        snippet(
          post("/api/v1/lineage", here.ingestionToken ? "collector_token" : undefined, event),
          platformUrl(here),
          token,
          argument("job_namespace", "Namespace of a job"),
          argument("job_name", "Name of a job"),
          argument("table_name", "Name of a table"),
        ),
      ],
    },
  ],
};
