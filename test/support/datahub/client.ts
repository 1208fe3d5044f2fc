import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { virtualEnvironment } from "../../../tools/venv.ts";

const requirements = fileURLToPath(new URL("./requirements.txt", import.meta.url));

/**
 * Runs a recipe by the client of DataHub, in `directory`. Resolves with its exit code and what it printed. Installs the
 * client first, once, which takes minutes.
 */
export function runRecipe(
  directory: string,
  recipe: Record<string, unknown>,
): Promise<{ code: number; said: string }> {
  const programs = virtualEnvironment("datahub-python", requirements);
  const file = join(directory, "recipe.yml");
  // YAML reads JSON.
  writeFileSync(file, JSON.stringify(recipe));
  const { PATH = "" } = process.env;
  const env = {
    PATH,
    HOME: directory,
    DATAHUB_TELEMETRY_ENABLED: "false",
    PYTHONDONTWRITEBYTECODE: "1",
  };
  return new Promise((resolve, reject) => {
    const options = { cwd: directory, env, timeout: 300_000, maxBuffer: 1 << 24 };
    execFile(join(programs, "datahub"), ["ingest", "-c", file], options, (error, out, err) => {
      const code = error ? error.code : 0;
      if (typeof code !== "number") reject(error);
      else resolve({ code, said: out + err });
    });
  });
}
