import type { AirflowSettings } from "#contract/connections/airflow.ts";
import type { ConnectionCheck } from "#contract/connections/connection.ts";
import { failedCheck, type Session, tried } from "../../connector.ts";
import { AirflowApi } from "./api.ts";

/** Tries a connection: the server answers, its DAGs can be read, and its assets. */
export async function checkAirflow(session: Session<AirflowSettings>): Promise<ConnectionCheck[]> {
  let api: AirflowApi;
  try {
    api = await AirflowApi.open(session);
  } catch (error) {
    return [failedCheck("Connect", error)];
  }
  const count = async (list: string) => {
    const { total } = await api.page(list, list, { limit: 1 });
    return `${total} ${list}`;
  };
  try {
    const assets = await tried("Assets", () => count(api.isThree ? "assets" : "datasets"));
    return [
      { name: "Connect", outcome: "OK", detail: `Airflow ${api.version} answers` },
      await tried("DAGs", () => count("dags")),
      assets,
    ];
  } finally {
    await api.close();
  }
}
