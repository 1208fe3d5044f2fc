import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { virtualEnvironment } from "../../../tools/venv.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Installs what is needed, once; takes a minute or two then. */
export function installPythonClient(): string {
  const requirements = join(here, "requirements.txt");
  return join(virtualEnvironment("openlineage-python", requirements), "python");
}

/**
 * Emits, by the OpenLineage client of Python, a START and a COMPLETE of each of `runs` runs in this job namespace, then a
 * job event and a dataset event; set up by `env` alone. Resolves with what the client logged; rejects when it gave an
 * event up.
 */
export function emitByPython(
  env: Record<string, string>,
  namespace: string,
  runs: number,
): Promise<string> {
  const python = installPythonClient();
  const { PATH = "", HOME = "" } = process.env;
  return new Promise((resolve, reject) => {
    execFile(
      python,
      [join(here, "emit.py"), namespace, String(runs)],
      { env: { PATH, HOME, PYTHONDONTWRITEBYTECODE: "1", ...env }, timeout: 90_000 },
      (
        error,
        out,
        err,
      ) => (error ? reject(new Error(`${error.message}\n${err}`)) : resolve(out + err)),
    );
  });
}
