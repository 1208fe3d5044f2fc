import { serveJobs } from "#kit/thread.ts";
import { evaluateBody, type EvaluatedBody } from "./bodies.ts";

/** How to read the body that comes with it. */
export interface EvaluationJob {
  lines: boolean;
}

serveJobs<EvaluationJob, EvaluatedBody>((job, body) => evaluateBody(body, job));
