import { recordCases } from "./records.ts";
import { boundsCost } from "./suite.ts";

boundsCost("event log", recordCases());
