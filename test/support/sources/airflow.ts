import { execFile } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { virtualEnvironment } from "../../../tools/venv.ts";
import { requireAnswer, type SourceServer, startSourceServer } from "./server.ts";

const here = fileURLToPath(new URL("airflow", import.meta.url));
const run = promisify(execFile);

/** Apache Airflow 3 with the DAGs of `airflow/shop.py`, of which `shop_load` has run once. */
export interface AirflowServer extends SourceServer {
  /** Who may only read. */
  user: string;
  password: string;
}

/** Starts it; takes a minute or two. Call `stop` in `afterAll`. */
export async function startAirflow(): Promise<AirflowServer> {
  const programs = virtualEnvironment("airflow", join(here, "requirements.txt"));
  const [user, password] = ["reader", "s3cret-airflow"];
  const airflow = join(programs, "airflow");
  const env = (folder: string) => ({
    AIRFLOW_HOME: folder,
    AIRFLOW__CORE__LOAD_EXAMPLES: "False",
    AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS: `${user}:viewer`,
    AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE: join(folder, "passwords.json"),
    PYTHONDONTWRITEBYTECODE: "1",
  });
  const server = await startSourceServer({
    name: "airflow",
    prepare: async (folder) => {
      mkdirSync(join(folder, "dags"));
      cpSync(join(here, "shop.py"), join(folder, "dags", "shop.py"));
      writeFileSync(join(folder, "passwords.json"), JSON.stringify({ [user]: password }));
      const options = {
        env: { ...process.env, ...env(folder) },
        timeout: 600_000,
        maxBuffer: 1 << 26,
      };
      for (
        const args of [["db", "migrate"], ["dags", "reserialize"], ["dags", "test", "shop_load"]]
      ) {
        await run(airflow, args, options);
      }
    },
    command: (_, port) => [
      ...[airflow, "api-server", "--host", "127.0.0.1", "--port", String(port)],
      ...["--workers", "1"],
    ],
    env,
    answers: (url) => requireAnswer(`${url}/api/v2/version`),
    within: 300_000,
  });
  return { ...server, user, password };
}
