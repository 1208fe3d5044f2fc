import type { Service } from "#platform/service.ts";
import { createFeatures } from "#services/api/features.ts";

/** The REST API and its housekeeping. */
export const apiService: Service = {
  name: "api",
  create(context) {
    const features = createFeatures(context);
    return {
      routes: features.flatMap((feature) => feature.routes),
      workers: [],
      drain() {
        for (const feature of features) feature.stop?.();
        return Promise.resolve();
      },
    };
  },
};
