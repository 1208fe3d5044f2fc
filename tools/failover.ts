import { type AcceptedLoss, acceptLoss } from "./failover/accept.ts";
import { type Examination, examine } from "./failover/examine.ts";
import { type Output, overEngines, runCommand } from "./command.ts";

const usage = `Usage: npm run failover -- <command>

  status    compares PostgreSQL and Kafka with what is known to be acknowledged;
            exit code 1 if something is missing
  accept    accepts that it is missing: applies again what Kafka still holds, builds the
            lineage graph, and has all processes continue

Exit codes: 0 done or nothing is missing, 1 something is missing, 2 could not be done.`;

type Deps = Parameters<typeof examine>[0] & Parameters<typeof acceptLoss>[0];

/** Runs `status` or `accept` and returns the exit code. */
export async function failoverCommand(
  context: Deps,
  command: "status" | "accept",
  output: Output,
): Promise<number> {
  const found = await examine(context);
  output.write(described(found));
  if (!found.missing && found.lost.length === 0) return 0;
  if (command === "status") {
    output.write("Put the former engine back, or accept the loss: npm run failover -- accept\n");
    return 1;
  }
  const accepted = await acceptLoss(context, found, (step) => output.write(`${step}\n`));
  output.write(outcome(accepted));
  return 0;
}

function described({ server, timeline, missing, lost }: Examination): string {
  const time = (at: number | null) => at === null ? "unknown" : new Date(at).toISOString();
  const lines = [`PostgreSQL ${server.system} serves timeline ${server.timeline}.`];
  if (timeline.acceptedAt !== null) lines.push(`Accepted at ${time(timeline.acceptedAt)}.`);
  for (const { topic, partition, known } of lost) {
    lines.push(`Kafka lacks records of ${topic}, partition ${partition}, before offset ${known}.`);
  }
  if (!missing && lost.length === 0) lines.push("Nothing that is known is missing.");
  if (missing) {
    lines.push(
      `At least ${missing.commits} acknowledged commits are missing.`,
      `  newest commit that it holds of the former primary: ${time(missing.from)}`,
      `  newest commit that is known to be missing:         ${time(missing.until)}`,
    );
  }
  return `${lines.join("\n")}\n`;
}

function outcome({ rewound, edges }: AcceptedLoss): string {
  const lines = rewound.filter(({ records }) => records > 0)
    .map(({ group, topic, records }) =>
      `${group} of ${topic}: ${records} records are applied again`
    );
  if (edges !== null) lines.push(`Lineage graph: ${edges} edges`);
  if (rewound.length === 0) {
    lines.push("The event log is part of PostgreSQL: have collectors send again what is missing.");
  }
  return [...lines, "Accepted: all processes continue within seconds.", ""].join("\n");
}

async function main(args: string[]): Promise<number> {
  const [command, ...rest] = args;
  if (command !== "status" && command !== "accept" || rest.length > 0) {
    console.error(usage);
    return 2;
  }
  return await overEngines(
    (context, output) => failoverCommand(context, command, output),
    { migrates: false },
  );
}

if (import.meta.main) await runCommand(main, 2);
