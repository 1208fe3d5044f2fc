import type { SinkAnswer, SunkRequest } from "#test/support/http/http-sink.ts";

/** One way to answer, and how often. */
export interface AnswerKind {
  name: string;
  answer: SinkAnswer;
  /** Whether the sender may believe that the message was taken. */
  takes: boolean;
  /** Of all requests, from 0 to 1. */
  share: number;
  /** No more than so many times; else without end. */
  max?: number;
}

/** A request with how it was answered. */
export interface AnsweredRequest {
  request: SunkRequest;
  kind: string;
  takes: boolean;
}

/** Answers requests at random in one of the given ways, else by `well`; `given` records what each got. */
export function mixedAnswers(
  kinds: AnswerKind[],
  well: SinkAnswer,
  random: () => number,
): { answer: SinkAnswer; given: AnsweredRequest[] } {
  const given: AnsweredRequest[] = [];
  const left = new Map(kinds.map((kind) => [kind, kind.max ?? Infinity]));
  const choose = (): AnswerKind | undefined => {
    let point = random();
    return kinds.find((kind) => {
      point -= kind.share;
      if (point >= 0 || left.get(kind)! <= 0) return false;
      left.set(kind, left.get(kind)! - 1);
      return true;
    });
  };
  return {
    given,
    answer(socket, request) {
      const kind = choose() ?? { name: "well", answer: well, takes: true };
      given.push({ request, kind: kind.name, takes: kind.takes });
      kind.answer(socket, request);
    },
  };
}
