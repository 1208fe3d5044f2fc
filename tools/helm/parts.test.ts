import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { helmPrograms } from "./install.mjs";
import { containersOf, type Manifest, named, render, validate } from "./render.ts";

beforeAll(() => void helmPrograms());

describe("the chart with every part switched on", () => {
  let manifests: Manifest[];
  beforeAll(() => void (manifests = render("everything").manifests));

  it("has the alerts of ops/alerts.yml", () => {
    const { spec } = named(manifests, "PrometheusRule")[""]!;
    expect(spec).toEqual(parse(readFileSync("ops/alerts.yml", "utf8")));
  });

  it("has every dashboard of ops/grafana", () => {
    const maps = Object.entries(named(manifests, "ConfigMap")).filter(([name]) =>
      name.startsWith("dashboard-")
    );
    expect(maps).toHaveLength(
      readdirSync("ops/grafana/dashboards").filter((file) => file.endsWith(".json")).length,
    );
    for (const [, { data }] of maps) {
      const [[file, text]] = Object.entries(data!) as [[string, string]];
      expect(JSON.parse(text)).toEqual(
        JSON.parse(readFileSync(`ops/grafana/dashboards/${file}`, "utf8")),
      );
    }
  });

  it("scrapes with the labels that the alerts select by", () => {
    const [endpoint] = named(manifests, "ServiceMonitor")[""]!.spec.endpoints;
    expect(endpoint.path).toBe("/metrics");
    const labels = endpoint.relabelings.map(({ targetLabel }: { targetLabel: string }) =>
      targetLabel
    );
    expect(labels).toEqual(["job", "service"]);
  });

  it("gives secrets of sources to the collector alone", () => {
    const readers = Object.values(containersOf(manifests)).filter(({ env }) =>
      env.some(({ name }) => name.startsWith("SOURCE_SECRET_"))
    );
    expect(readers.map(({ name }) => name)).toEqual(["collector"]);
  });

  it("applies the schema before anything else, with a configuration of its own", () => {
    const job = named(manifests, "Job").migrate!;
    expect(job.metadata.annotations!["helm.sh/hook"]).toBe("pre-install,pre-upgrade");
    const { volumes } = job.spec.template.spec;
    const configuration = named(manifests, "ConfigMap").migrate!;
    const mounted = volumes.find(({ name }: { name: string }) => name === "configuration");
    expect(mounted.configMap.name).toBe(configuration.metadata.name);
    expect(configuration.metadata.annotations!["helm.sh/hook-weight"]).toBe("-5");
    expect(containersOf(manifests).migrate!.args.at(-1)).toBe("tools/migrate.ts");
  });

  it("lets nobody reach the addresses of a cloud's metadata", () => {
    const policies = Object.values(named(manifests, "NetworkPolicy"));
    // One for each service, and one for the migrations.
    expect(policies).toHaveLength(Object.keys(named(manifests, "Deployment")).length + 1);
    for (const { spec } of policies) {
      expect(spec.policyTypes).toEqual(["Ingress", "Egress"]);
      const blocks = spec.egress.flatMap(({ to = [] }) => to).flatMap((
        { ipBlock }: { ipBlock?: { cidr: string; except: string[] } },
      ) => ipBlock?.cidr === "0.0.0.0/0" ? [ipBlock.except] : []);
      expect(new Set(blocks.flat())).toEqual(new Set(["169.254.0.0/16"]));
    }
  });

  it("evicts one pod of a service at a time, and spreads them", () => {
    const deployments = Object.keys(named(manifests, "Deployment"));
    expect(Object.keys(named(manifests, "PodDisruptionBudget"))).toEqual(deployments);
    for (const { spec } of Object.values(named(manifests, "Deployment"))) {
      expect(spec.template.spec.topologySpreadConstraints).toHaveLength(2);
    }
  });
});

describe("docs/operate/kubernetes.md", () => {
  const page = readFileSync("docs/operate/kubernetes.md", "utf8");
  const examples = [...page.matchAll(/```yaml values\n(.*?)```/gs)].map(([, text]) => text!);

  it("marks its values for this test", () => expect(examples).toHaveLength(2));

  it.each(examples.map((text, at) => [at + 1, text] as const))(
    "shows values that the chart accepts: %i",
    (_, text) => {
      const folder = mkdtempSync(join(tmpdir(), "tributary-values-"));
      try {
        const file = join(folder, "values.yaml");
        writeFileSync(file, text);
        expect([render(file).error, validate(file).invalid]).toEqual(["", []]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});

describe("the ingress of the chart", () => {
  const nginx = (name: string) => `nginx.ingress.kubernetes.io/${name}`;
  const pathsOf = ({ spec }: Manifest) => {
    const [{ http }] = spec.rules;
    const { paths } = http as {
      paths: { path: string; backend: { service: { name: string } } }[];
    };
    return paths.map(({ path, backend }) => [path, backend.service.name]);
  };

  it("passes changes on as they come, and keeps metrics and health inside", () => {
    const { "": all, changes } = named(render("oidc").manifests, "Ingress");
    expect(changes!.metadata.annotations![nginx("proxy-buffering")]).toBe("off");
    expect(pathsOf(changes!)).toEqual([["/api/changes", "catalogue-tributary-api"]]);
    expect(pathsOf(all!)).toEqual([
      ["/health", "catalogue-tributary-closed"],
      ["/metrics", "catalogue-tributary-closed"],
      ["/", "catalogue-tributary-api"],
    ]);
  });

  it.each([
    ["/catalogue", "/"],
    ["/catalogue/api/search", "/api/search"],
    ["/catalogue/api/changes", "/api/changes"],
    ["/catalogue/metrics", undefined],
    ["/catalogue/health/ready", undefined],
  ])("strips its path: %s is %s to the API", (path, expected) => {
    const ingresses = Object.values(named(render("below-a-path").manifests, "Ingress"));
    // ingress-nginx tries the longest expression first.
    const routes = ingresses.flatMap((ingress) =>
      pathsOf(ingress).map(([path, service]) => ({
        path: path!,
        service: service!,
        target: ingress.metadata.annotations![nginx("rewrite-target")]!,
      }))
    ).sort((a, b) => b.path.length - a.path.length);
    const route = routes.find((one) => new RegExp(`^${one.path}`, "i").test(path))!;
    const reached = path.replace(new RegExp(`^${route.path}`, "i"), route.target);
    expect(route.service.endsWith("-closed") ? undefined : reached).toBe(expected);
  });

  it("tells the processes the address that people use", () => {
    const { manifests } = render("below-a-path");
    const { env } = containersOf(manifests).api!;
    const url = env.find(({ name }) => name === "CATALOG_PLATFORM_BASE_URL")?.value;
    expect(url).toBe("https://portal.example/catalogue");
  });
});

describe("the chart with autoscaling", () => {
  let manifests: Manifest[];
  beforeAll(() => void (manifests = render("autoscaling").manifests));

  it("scales by CPU, and consumers by their lag as well", () => {
    const kinds = Object.entries(named(manifests, "HorizontalPodAutoscaler")).map((
      [name, { spec }],
    ) => [
      name,
      ...spec.metrics.map(({ type }: { type: string }) => type),
    ]);
    expect(kinds).toEqual([
      ["api", "Resource"],
      ["ingest-consumer", "Resource", "External"],
      ["openlineage", "Resource", "Pods"],
    ]);
    for (const [name] of kinds) {
      expect(named(manifests, "Deployment")[name!]!.spec.replicas).toBeUndefined();
    }
  });

  it("scales by CPU alone where no adapter is", () => {
    const { manifests } = render("autoscaling", { "autoscaling.metricsAdapter": false });
    for (const { spec } of Object.values(named(manifests, "HorizontalPodAutoscaler"))) {
      expect(spec.metrics).toHaveLength(1);
    }
  });

  it("raises no alert of services that do not run", () => {
    const { spec } = named(manifests, "PrometheusRule")[""]!;
    const { expr } = spec.groups[0].rules[0];
    const watched = [...expr.matchAll(/"service", "([\w-]+)"/g)].map(([, name]) => name);
    const running = Object.keys(named(manifests, "Deployment"));
    expect(watched.sort()).toEqual(running.sort());
  });
});
