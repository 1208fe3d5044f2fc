import { describe } from "vitest";
import { datahubFaults } from "./datahub.ts";

describe("faults of DataHub, embedded engines", () => datahubFaults("embedded"));
