import { otlpCases } from "./otlp.ts";
import { boundsCost } from "./suite.ts";

boundsCost("OTLP", otlpCases());
