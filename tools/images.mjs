// Writes the current digest of each image's tag, from its registry, into docker-compose.yml and the
// Dockerfile. Needs Docker; review the change.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const image = /^(\s*image: |FROM )([\w./-]+:[\w.-]+)(?:@sha256:[0-9a-f]{64})?/gm;

/** The digest of the index that lists the image for all platforms. @param {string} name */
function digestOf(name) {
  const args = ["buildx", "imagetools", "inspect", name, "--format", "{{.Manifest.Digest}}"];
  const { status, stdout, stderr, error } = spawnSync("docker", args, { encoding: "utf8" });
  const digest = stdout?.trim();
  if (status === 0 && /^sha256:[0-9a-f]{64}$/.test(digest)) return digest;
  console.error(`docker ${args.join(" ")}: ${error?.message ?? stderr}`);
  process.exit(1);
}

for (const file of ["docker-compose.yml", "Dockerfile"]) {
  const text = readFileSync(join(root, file), "utf8");
  const pinned = text.replace(image, (whole, before, name) => {
    if (name.startsWith("tributary:")) return whole;
    const line = `${before}${name}@${digestOf(name)}`;
    console.log(`${file}: ${name} ${line === whole ? "is current" : "pinned anew"}`);
    return line;
  });
  writeFileSync(join(root, file), pinned);
}
