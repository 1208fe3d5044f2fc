import { readFileSync } from "node:fs";
import { join } from "node:path";
import { composeServices } from "../compose.ts";
import { root } from "./check.ts";

/**
 * What each image declares as VOLUME. Where nothing is mounted, every new container gets an anonymous volume, which
 * `docker compose down` leaves behind: `docker image inspect --format '{{.Config.Volumes}}' <image>` shows them.
 */
const declared: Record<string, string[]> = {
  postgres: ["/var/lib/postgresql"],
  "apache/kafka": ["/etc/kafka/secrets", "/mnt/shared/config", "/var/lib/kafka/data"],
  neo4j: ["/data", "/logs"],
  redis: ["/data"],
  "axllent/mailpit": [],
  "prom/prometheus": ["/prometheus"],
  "grafana/grafana": [],
};

/** A service of docker-compose.yml, as far as its volumes go. */
export interface ServiceMounts {
  image: string;
  given: { volumes?: string[]; tmpfs?: string[] };
}

/** Volumes of images that would be anonymous. */
export function volumeProblems(
  services: Record<string, ServiceMounts> = composeServices(),
  volumes: Record<string, string[]> = { ...declared, tributary: ownVolumes() },
): string[] {
  return Object.entries(services).flatMap(([name, { image, given }]) => {
    const paths = volumes[image.replace(/:.*$/, "")];
    if (!paths) return [`${name}: add the volumes of ${image} to tools/checks/volumes.ts`];
    const mounted = [
      ...(given.volumes ?? []).map((volume) => volume.split(":")[1]),
      ...(given.tmpfs ?? []).map((path) => path.split(":")[0]),
    ];
    return paths.filter((path) => !mounted.includes(path))
      .map((path) => `${name}: mount a named volume or a tmpfs at ${path}, a volume of its image`);
  });
}

function ownVolumes(): string[] {
  const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");
  return [...dockerfile.matchAll(/^VOLUME (\S+)$/gm)].map(([, path]) => path!);
}
