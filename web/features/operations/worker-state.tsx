import { CircleAlert, CircleCheck } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { words } from "#web/kit/numbers.ts";
import { Time } from "#web/kit/time.tsx";
import { Rich } from "#web/messages/rich.tsx";

/** How a worker stands, since when, and why. */
export function WorkerState({ of }: { of: Schema<"OpsWorker"> }) {
  return (
    <span>
      <Badge
        tone={of.ready ? "good" : "bad"}
        icon={of.ready ? <CircleCheck aria-hidden /> : <CircleAlert aria-hidden />}
      >
        {words(of.state)}
      </Badge>{" "}
      <span className="soft">
        <Rich of="operations.since" values={{ time: <Time at={of.since} /> }} />
      </span>
      {of.cause && <div className="foreign">{of.cause}</div>}
    </span>
  );
}
