import { afterAll, describe, expect, it } from "vitest";
import {
  factsInLog,
  type Gateway,
  grpcAddress,
  startGateway,
} from "#test/support/traces/gateway.ts";
import { exportSpans } from "#test/support/traces/otlp-clients.ts";
import { eventually } from "#test/support/eventually.ts";

const filter = { auth: { ingestion: { filter: { enabled: true } } } };

describe("exporters where ingestion asks for tokens", () => {
  const opened = startGateway("embedded", { token: "token-of-the-gateway-of-32-characters" }, {
    config: filter,
  });
  afterAll(async () => (await opened).stop());

  async function exported(gateway: Gateway, protocol: string, token: string | undefined) {
    const endpoint = protocol === "grpc" ? `http://${await grpcAddress(gateway)}` : gateway.http;
    const headers: Record<string, string> = token === undefined
      ? {}
      : { OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${token}` };
    const { traceIds, errors: errors } = await exportSpans({
      OTEL_SERVICE_NAME: "orders",
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      ...headers,
    }, 2);
    const facts = await factsInLog(gateway.events);
    return { taken: facts.filter((f) => traceIds.includes(f.traceId)).length, errors };
  }

  it.each(["http/protobuf", "http/json", "grpc"])(
    "%s: the token of a collector is taken until it is withdrawn, and no other",
    async (protocol) => {
      const gateway = await opened;
      const { db } = gateway.test;
      const collector = `collector-${crypto.randomUUID()}`;
      await db.query(
        `WITH t AS (INSERT INTO token (digest, hint)
           VALUES (sha256(convert_to($1, 'UTF8')), '') RETURNING id)
         INSERT INTO collector (name, token_id) SELECT $1, id FROM t`,
        [collector],
      );
      expect(await exported(gateway, protocol, collector)).toEqual({ taken: 2, errors: [] });
      for (const token of [undefined, "of-nobody"]) {
        const { taken, errors } = await exported(gateway, protocol, token);
        expect(taken).toBe(0);
        expect(errors.join()).toMatch(/401|UNAUTHENTICATED|bearer token|Unauthorized/i);
      }
      await db.query(
        "UPDATE token SET digest = sha256('other') WHERE id = (SELECT token_id FROM collector WHERE name = $1)",
        [collector],
      );
      await eventually(async () => {
        expect((await exported(gateway, protocol, collector)).taken).toBe(0);
      });
      await db.query("DELETE FROM collector WHERE name = $1", [collector]);
      await db.query("DELETE FROM token WHERE digest = sha256('other')");
    },
  );
});
