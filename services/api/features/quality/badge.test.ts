import { decode } from "fast-png";
import { describe, expect, it } from "vitest";
import {
  badgeReply,
  drawBadge,
  pngOf,
  prefersSvg,
  scale,
  svgOf,
} from "#services/api/features/quality/badge.ts";

const badge = { colour: "GREEN" as const, total: 10, success: 8 };

describe("a badge", () => {
  it("is the same picture as PNG and as SVG", async () => {
    const drawing = drawBadge(badge);
    const png = decode(await pngOf(drawing));
    expect([png.width, png.height]).toEqual([drawing.width * scale, drawing.height * scale]);
    const pixel = (x: number, y: number) => {
      const at = (y * scale * png.width + x * scale) * png.channels;
      return [...png.data.slice(at, at + 3)];
    };
    const rectangles = [
      ...svgOf(drawing).matchAll(
        /<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)" fill="#(\w{6})"\/>/g,
      ),
    ].map(([, ...parts]) => parts);
    const drawn = new Map<string, number[]>();
    for (const [x, y, width, height, fill] of rectangles) {
      const rgb = [0, 2, 4].map((from) => parseInt(fill!.slice(from, from + 2), 16));
      for (let row = Number(y); row < Number(y) + Number(height); row++) {
        for (let column = Number(x); column < Number(x) + Number(width); column++) {
          drawn.set(`${column} ${row}`, rgb);
        }
      }
    }
    expect(drawn.size).toBe(drawing.width * drawing.height);
    for (const [place, rgb] of drawn) {
      const [x, y] = place.split(" ").map(Number);
      expect([place, pixel(x!, y!)]).toEqual([place, rgb]);
    }
  });

  it("grows with its numbers, tells each colour apart, and has words", () => {
    const [small, large] = [drawBadge({ ...badge, total: 8 }), drawBadge({ ...badge, total: 8e5 })];
    expect(large.width).toBeGreaterThan(small.width);
    const pictures = (["GREEN", "YELLOW", "RED"] as const).map((colour) =>
      svgOf(drawBadge({ ...badge, colour }))
    );
    expect(new Set(pictures).size).toBe(3);
    expect(pictures[0]).toContain("<title>SLA GREEN: 8 of 10 tests succeeded</title>");
    expect(svgOf({ ...small, label: `<script>"&'` })).toContain(
      "<title>&lt;script&gt;&quot;&amp;&#39;</title>",
    );
  });

  it("without a judged test shows a dash", () => {
    const { label } = drawBadge({ colour: "YELLOW", total: 0, success: 0 });
    expect(label).toBe("SLA YELLOW: no test succeeded or failed");
  });
});

describe("badgeReply", () => {
  const reply = (headers: Record<string, string> = {}, format?: "png" | "svg", of = badge) =>
    badgeReply(of, format, new Headers(headers));

  it("304 for who has this very picture", async () => {
    const { status, headers, raw } = await reply();
    expect([status, raw!.contentType, headers!["cache-control"]])
      .toEqual([200, "image/png", "private, max-age=60"]);
    const { etag } = headers!;
    for (const list of [etag!, `W/${etag}`, `"other", ${etag}`, "*"]) {
      expect(await reply({ "if-none-match": list })).toMatchObject({
        status: 304,
        headers: { etag },
      });
    }
    expect((await reply({ "if-none-match": etag! }, "svg")).status).toBe(200);
    expect((await reply({ "if-none-match": etag! }, "png", { ...badge, success: 7 })).status).toBe(
      200,
    );
  });

  it("SVG is served so that it can do nothing", async () => {
    const { headers, raw } = await reply({}, "svg");
    expect(raw!.contentType).toBe("image/svg+xml");
    expect(headers!["content-security-policy"]).toContain("sandbox");
    expect(raw!.content).not.toMatch(/<script|<style|href|url\(/);
  });

  it.each([
    [null, false],
    ["image/png", false],
    ["image/svg+xml", true],
    ["*/*", false],
    ["", false],
    ["image/svg+xml;q=0.9, image/png", false],
    ["image/svg+xml, image/png;q=0.5", true],
    ["image/svg+xml;q=x", false],
    // A browser's, for an img element.
    ["image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", false],
  ])("Accept: %s", (accept, svg) => {
    expect(prefersSvg(accept)).toBe(svg);
  });
});
