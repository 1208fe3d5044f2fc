/** What the provider takes in one section, and in one context, in characters; more is refused whole. */
export const sectionMax = 3_000;
export const contextMax = 2_000;

interface Markup {
  type: "mrkdwn";
  text: string;
  /** Bare addresses and names are not made links. */
  verbatim: true;
}

/** A part of a chat message. */
export type Block =
  | { type: "header"; text: { type: "plain_text"; text: string; emoji: true } }
  | { type: "divider" }
  | { type: "section"; text: Markup }
  | { type: "context"; elements: Markup[] };

const markup = (text: string): Markup => ({ type: "mrkdwn", text, verbatim: true });

export const divider: Block = { type: "divider" };

/** A paragraph of markup. */
export const section = (text: string): Block => ({ type: "section", text: markup(text) });

/** A line of markup in small letters. */
export const context = (text: string): Block => ({ type: "context", elements: [markup(text)] });
