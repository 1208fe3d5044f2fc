import { serveJobs } from "#kit/thread.ts";
import type { ReadProposals } from "#platform/datahub/proposals.ts";
import { evaluateBody, type EvaluationJob } from "./bodies.ts";

serveJobs<EvaluationJob, ReadProposals>((job, body) => evaluateBody(body, job));
