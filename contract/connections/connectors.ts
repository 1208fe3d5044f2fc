import { z } from "@hono/zod-openapi";
import { AirflowSettings } from "./airflow.ts";
import { DbtSettings } from "./dbt.ts";
import { FilesSettings } from "./files.ts";
import { IcebergSettings } from "./iceberg.ts";
import { KafkaSettings } from "./kafka.ts";
import { MysqlSettings } from "./mysql.ts";
import { PostgresqlSettings } from "./postgresql.ts";

/** Every connector with the schema of its settings: form, validation and documentation come from it. */
export const connectorSettings = {
  postgresql: PostgresqlSettings,
  mysql: MysqlSettings,
  dbt: DbtSettings,
  kafka: KafkaSettings,
  airflow: AirflowSettings,
  iceberg: IcebergSettings,
  files: FilesSettings,
} as const;
export type ConnectorName = keyof typeof connectorSettings;
export const connectorNames = Object.keys(connectorSettings) as [ConnectorName, ...ConnectorName[]];

/** What people call the system that a connector reads. */
export const connectorTitles: Record<ConnectorName, string> = {
  postgresql: "PostgreSQL",
  mysql: "MySQL or MariaDB",
  dbt: "dbt",
  kafka: "Kafka",
  airflow: "Airflow",
  iceberg: "Iceberg REST catalog",
  files: "Files in folders or S3",
};

/** Settings of one connector, validated. */
export type SettingsOf<N extends ConnectorName> = z.output<(typeof connectorSettings)[N]>;

/** Settings of any connector, validated. */
export type ConnectorSettings = SettingsOf<ConnectorName>;

/** Names of the settings that are secrets. */
export function secretNames(connector: ConnectorName): string[] {
  const { shape } = connectorSettings[connector];
  return Object.entries(shape)
    .filter(([, schema]) => (schema as z.ZodType).meta()?.writeOnly === true)
    .map(([name]) => name);
}

/** JSON Schema of the settings, for a form; secrets are `writeOnly`. */
export function settingsSchema(connector: ConnectorName): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(connectorSettings[connector], {
    io: "input",
    unrepresentable: "any",
  });
  return schema;
}
