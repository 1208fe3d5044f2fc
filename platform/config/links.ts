import { z } from "zod";

/** The most links that are configured. */
const maxLinks = 100;

const link = z.strictObject({
  title: z.string().trim().min(1).max(200).describe(
    "Title of link number `{n}`, from 0",
  ),
  url: z.url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" }).describe(
    "Address of the link",
  ),
});

/** Links to other places that the catalogue shows to everyone: a list, in this order. */
export const links = z.array(link).max(maxLinks, `must be at most ${maxLinks}`).default([]);
