import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { repositoryFiles, root } from "./checks/check.ts";
import { lockedPackages, runtimePackages } from "./licences/packages.ts";

/** A stage of the Dockerfile. */
export interface DockerfileStage {
  name: string;
  /** The image, or the stage, that it starts from. */
  from: string;
  /** Instructions, each with its continued lines. */
  instructions: string[];
}

/** The stages of a Dockerfile in their order. */
export function dockerfileStages(text: string): DockerfileStage[] {
  const lines = text.replaceAll(/^\s*#.*\n/gm, "").replaceAll(/\\\n/g, " ").split("\n");
  const stages: DockerfileStage[] = [];
  for (const line of lines) {
    const [, from, name] = /^FROM (\S+)(?: AS (\S+))?$/.exec(line) ?? [];
    if (from) stages.push({ from, name: name ?? "", instructions: [] });
    else if (line.trim() !== "") stages.at(-1)?.instructions.push(line);
  }
  return stages;
}

/**
 * Files in the folder of the program of a target, with their sizes in bytes: what the Dockerfile copies and does not remove again.
 * Computed from this checkout without Docker, for Linux on x64; what Deno transpiles is left out.
 */
export async function imageContents(target: string): Promise<Map<string, number>> {
  const stages = dockerfileStages(readFileSync(join(root, "Dockerfile"), "utf8"));
  const [copied] = stages.find(({ name }) => name === target)?.instructions
    .flatMap((line) => /^COPY --from=(\S+) \/app \/app$/.exec(line)?.[1] ?? []) ?? [];
  if (!copied) throw new Error(`The Dockerfile has no target ${target} that copies /app`);
  const removed = removedBy(stages, copied);
  const files = [...await contextFiles(), ...packageFiles(), ...filesBelow(".cache/web")];
  const remaining = files.filter((file) =>
    !removed.some((path) => matchesGlob(file, path) || file.startsWith(`${path}/`))
  );
  return new Map(remaining.map((file) => [file, statSync(join(root, file)).size]));
}

/** Paths that a stage, and those that it starts from, remove. */
function removedBy(stages: DockerfileStage[], name: string): string[] {
  const stage = stages.find((one) => one.name === name);
  if (!stage) return [];
  const own = stage.instructions.flatMap((line) =>
    /^RUN rm -rf (.+)$/.exec(line)?.[1]?.split(" ") ?? []
  );
  return [...removedBy(stages, stage.from), ...own];
}

/** Files of the repository that Docker is sent. */
async function contextFiles(): Promise<string[]> {
  const ignored = readFileSync(join(root, ".dockerignore"), "utf8").split("\n")
    .filter((line) => line !== "").flatMap((pattern) => [pattern, `${pattern}/**`]);
  const files = await repositoryFiles(/./);
  return files.filter((file) => !ignored.some((pattern) => matchesGlob(file, pattern)));
}

/** Files of packages that `npm ci --omit=dev --workspaces=false` installs on Linux on x64. */
function packageFiles(): string[] {
  const lock = lockedPackages();
  const installed = [...runtimePackages(lock)].filter((path) =>
    runsOnLinux(lock[path] as PlatformEntry)
  );
  return installed.flatMap((path) => filesBelow(path, "node_modules"));
}

interface PlatformEntry {
  os?: string[];
  cpu?: string[];
}

function runsOnLinux({ os = ["linux"], cpu = ["x64"] }: PlatformEntry): boolean {
  return os.includes("linux") && cpu.includes("x64");
}

/** Files of a folder of this checkout; none when it is not there. */
function filesBelow(folder: string, without?: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === without ? [] : filesBelow(path, without);
    return entry.isFile() ? [path] : [];
  });
}
