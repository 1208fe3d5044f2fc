import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import { read, type Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { count, words } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Shown } from "#web/kit/states.tsx";
import { type Column, Table } from "#web/kit/table.tsx";
import { everyMs, Unknown } from "#web/features/operations/known.tsx";
import { t } from "#web/messages/text.ts";

type Engine = Schema<"OpsEngine">;

/** What keeps data, and whether it answers. */
export function Engines() {
  const query = useQuery({ ...read("/api/ops/engines"), refetchInterval: everyMs });
  return (
    <Card title={t("operations.engines")} flush>
      <Shown of={query} what={t("operations.engines2")} bones={5}>
        {({ items }) => (
          <Table
            label={t("operations.engines")}
            columns={columns()}
            rows={items}
            keyOf={({ port }) => port}
          />
        )}
      </Shown>
    </Card>
  );
}

const columns = (): Column<Engine>[] => [
  { name: t("operations.for"), cell: ({ port }) => words(port.replaceAll("-", "_")) },
  {
    name: t("operations.engine"),
    cell: ({ engine, version }) => (
      <span className="foreign">
        {engine} {version && <span className="soft">{version}</span>}
      </span>
    ),
  },
  { name: t("operations.state"), cell: (engine) => <EngineState of={engine} /> },
  {
    name: t("operations.latency"),
    right: true,
    tight: true,
    cell: ({ latency_ms: ms }) =>
      ms == null
        ? <span className="soft">{t("kit.unknown")}</span>
        : t("operations.milliseconds", { count: count(Math.ceil(ms)) }),
  },
];

function EngineState({ of: { state, cause } }: { of: Engine }) {
  if (state === "unknown") return <Unknown cause={cause} />;
  const up = state === "up";
  return (
    <span>
      <Badge
        tone={up ? "good" : "bad"}
        icon={up ? <CircleCheck aria-hidden /> : <CircleX aria-hidden />}
      >
        {words(state)}
      </Badge>
      {cause && <span className="foreign soft">&ensp;{cause}</span>}
    </span>
  );
}
