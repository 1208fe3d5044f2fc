import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { openLineageService } from "#services/openlineage/service.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";

/** An instance that takes OpenLineage events from those alone who have a token, and the token of a collector. */
export async function startGuardedIntake(
  services = [apiService, ingestConsumerService, openLineageService],
): Promise<{ instance: Instance; token: string }> {
  const instance = await startInstance("embedded", {
    services,
    config: { auth: { ingestion: { filter: { enabled: true } } } },
  });
  const made = await instance.send("POST", "/api/collectors", { name: "openlineage" });
  return { instance, token: (await made.json()).token.value };
}
