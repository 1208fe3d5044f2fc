import type { IntakeResult, OtlpEncoding, Protocol, SpanIntake } from "../intake/intake.ts";
import { readBody } from "./body.ts";
import { refusalOf } from "./refusal.ts";

/** Takes one export request, from its unread body to the event log, within the memory budget. */
export async function takeExport(
  request: Request,
  intake: SpanIntake,
  how: { encoding: OtlpEncoding; protocol: Protocol; maxBytes: number; client: string },
): Promise<IntakeResult> {
  const reservation = intake.budget.open(how.client);
  try {
    const body = await unread(intake, how.protocol, async () => {
      intake.assertOpen();
      return await readBody(request, reservation, how.maxBytes);
    });
    return await intake.accept(body, how, reservation);
  } catch (error) {
    await reservation.refused(refusalOf(error).status, request.signal);
    throw error;
  } finally {
    reservation.release();
  }
}

/** Counts what fails before there is anything to decode. */
async function unread<T>(
  intake: SpanIntake,
  protocol: Protocol,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    intake.refusedUnread(protocol);
    throw error;
  }
}
