import { serveJobs } from "#kit/thread.ts";
import { judgeBody, type JudgedBody } from "./judge.ts";

/** How to read the body that comes with it. */
export interface JudgeJob {
  lines: boolean;
}

serveJobs<JudgeJob, JudgedBody>((job, body) => judgeBody(body, job));
