import type { SinkAnswer, SunkRequest } from "#test/support/http-sink.ts";

/** One way to answer, and how often. */
export interface Mood {
  name: string;
  answer: SinkAnswer;
  /** Whether the sender may believe that the message was taken. */
  takes: boolean;
  /** Of all requests, from 0 to 1. */
  share: number;
  /** No more than so many times; else without end. */
  most?: number;
}

/** A request with how it was answered. */
export interface MoodyAnswer {
  request: SunkRequest;
  mood: string;
  takes: boolean;
}

/** Answers by the given moods, at random, and well else. Keeps what it did. */
export function moodyAnswers(
  moods: Mood[],
  well: SinkAnswer,
  random: () => number,
): { answer: SinkAnswer; given: MoodyAnswer[] } {
  const given: MoodyAnswer[] = [];
  const left = new Map(moods.map((mood) => [mood, mood.most ?? Infinity]));
  const choose = (): Mood | undefined => {
    let point = random();
    return moods.find((mood) => {
      point -= mood.share;
      if (point >= 0 || left.get(mood)! <= 0) return false;
      left.set(mood, left.get(mood)! - 1);
      return true;
    });
  };
  return {
    given,
    answer(socket, request) {
      const mood = choose() ?? { name: "well", answer: well, takes: true };
      given.push({ request, mood: mood.name, takes: mood.takes });
      mood.answer(socket, request);
    },
  };
}
