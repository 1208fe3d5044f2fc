import {
  argument,
  type Here,
  type IntegrationSpec,
  platformUrl,
  post,
  snippet,
} from "#services/api/features/integrations/integration.ts";

const path = "/ingestion/alert/alertrouter";
const token = argument("token", "Token of a collector or data source");
const entity = argument("entity_catrn", "CATRN of the entity");

const receiver = ({ ingestionToken }: Here) =>
  [
    "route:",
    "  receiver: catalogue",
    "receivers:",
    "  - name: catalogue",
    "    webhook_configs:",
    `      - url: "{{platform_url}}${path}"`,
    "        send_resolved: true",
    ...ingestionToken
      ? [
        "        http_config:",
        "          authorization:",
        "            type: Bearer",
        `            credentials: "{{token}}"`,
      ]
      : [],
  ].join("\n") + "\n";

const rule = `groups:
  - name: "{{group_name}}"
    rules:
      - alert: "{{alert_name}}"
        expr: '{{expression}}'
        for: 10m
        labels:
          entity_catrn: "{{entity_catrn}}"
        annotations:
          summary: "{{summary}}"
`;

const alert = `{"alerts": [{
    "status": "firing",
    "labels": {"alertname": "Tried", "entity_catrn": "{{entity_catrn}}"},
    "annotations": {"summary": "Sent by hand"}
  }]}`;

/** Alerts of Prometheus Alertmanager. */
export const alertmanager: IntegrationSpec = {
  id: "alertmanager",
  name: "Alertmanager",
  description: "Show what monitoring found on the entity that it is about",
  arrived: "EXISTS (SELECT FROM alert WHERE fingerprint IS NOT NULL)",
  blocks: (here) => [
    {
      title: "Add a receiver",
      content:
        "In `alertmanager.yml`. Each alert that fires becomes one distribution anomaly that says its name, summary " +
        "and description; its owners are notified. Repeated deliveries change nothing, and `send_resolved` lets " +
        "its resolution resolve it. With `alerts.deduplicate: false` each delivery is an alert of its own.",
      code_snippets: [snippet(receiver(here), platformUrl(here), token)],
    },
    {
      title: "Say what an alert is about",
      content:
        "By the label `entity_catrn` of the rule in Prometheus. An alert without it is stored without an entity. " +
        "The annotations `summary` and `description` are its text; without them its labels are.",
      code_snippets: [
        snippet(
          rule,
          argument("group_name", "Name of the group of rules"),
          argument("alert_name", "Name of the alert"),
          argument("expression", "Expression that is true while something is wrong"),
          entity,
          argument("summary", "What is wrong, in a sentence"),
        ),
      ],
    },
    {
      title: "Try it",
      content: "This is what Alertmanager would send.",
      code_snippets: [
        snippet(
          post(path, here.ingestionToken ? "token" : undefined, alert),
          platformUrl(here),
          token,
          entity,
        ),
      ],
    },
  ],
};
