import { z } from "zod";

const cpu = z.string().regex(/^[0-9]+(\.[0-9]+)?m?$/);
const memory = z.string().regex(/^[1-9][0-9]*(Mi|Gi)$/);

const resources = z.strictObject({
  requests: z.strictObject({
    cpu: cpu.describe("CPU that a pod is given at least"),
    memory: memory.describe("Memory that a pod is given at least, in Mi or Gi"),
  }),
  limits: z.strictObject({
    cpu: cpu.optional().describe("Most CPU; unset: no limit"),
    memory: memory.describe("Most memory, in Mi or Gi; the heap is half of it"),
  }),
});

/** When the number of replicas follows the load. */
export const autoscaling = z.strictObject({
  enabled: z.boolean().describe("Whether the number of replicas follows the load"),
  minReplicas: z.int().min(1).max(1_000).describe("Fewest replicas"),
  maxReplicas: z.int().min(1).max(1_000).describe("Most replicas"),
  cpu: z.int().min(1).max(100).describe("CPU in percent of the request that is aimed at"),
});

/** The metric by which a consumer scales where the cluster has an adapter. */
export const lagOf = z.strictObject({
  type: z.enum(["Pods", "External"]).describe("Kind of metric: of the pods, or of another system"),
  metric: z.string().min(1).describe("Name of the metric"),
  averageValue: z.string().regex(/^[0-9]+$/).describe("Value per replica that is aimed at"),
  selector: z.record(z.string(), z.string()).describe("Labels of the series, of External"),
});

/** A service whose replicas are set, or follow the CPU. */
export const plainService = z.strictObject({
  replicas: z.int().min(0).max(1_000).describe("Replicas where autoscaling is off"),
  resources,
  autoscaling,
});

/** A service that reads a topic. */
export const consumer = plainService.extend({
  enabled: z.boolean().describe("Whether it runs"),
  autoscaling: autoscaling.extend({ lag: lagOf }),
});
