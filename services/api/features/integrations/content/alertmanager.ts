import type { Here } from "#services/api/features/integrations/here.ts";
import {
  asked,
  type IntegrationSpec,
  platformUrl,
  post,
  snippet,
} from "#services/api/features/integrations/integration.ts";

const path = "/ingestion/alert/alertrouter";
const token = asked("token", "Token of a collector or data source");
const entity = asked("entity_catrn", "CATRN of the entity");

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
`;

const alert = `{"alerts": [{
    "status": "firing",
    "labels": {"alertname": "Tried", "entity_catrn": "{{entity_catrn}}"}
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
        "In `alertmanager.yml`. Every alert becomes a distribution anomaly, of which the owners of the entity hear. " +
        "With `alerts.deduplicate` repetitions join the alert, and what is resolved resolves it.",
      code_snippets: [snippet(receiver(here), platformUrl(here), token)],
    },
    {
      title: "Say what an alert is about",
      content:
        "By the label `entity_catrn` of the rule in Prometheus. An alert without it is kept, of no entity.",
      code_snippets: [
        snippet(
          rule,
          asked("group_name", "Name of the group of rules"),
          asked("alert_name", "Name of the alert"),
          asked("expression", "Expression that is true while something is wrong"),
          entity,
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
