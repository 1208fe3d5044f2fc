import { decode } from "fast-png";
import fc from "fast-check";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { csvText, impactCsv } from "#web/graph/export/impact.ts";
import { pngLimits, scaleFor, scenePng } from "#web/graph/export/png.ts";
import { sceneSvg } from "#web/graph/export/svg.ts";
import { Painter } from "#web/graph/paint.ts";
import { node } from "#web/graph/testing/models.ts";
import { boardScene, largeScene, recorder, theme } from "#web/graph/testing/samples.ts";
import { notWellFormed } from "#web/graph/testing/xml.ts";

const hostile = [
  `<script>alert(1)</script>`,
  `"]]><!-- & ' --> &amp; <![CDATA[`,
  "a\u0000b\u0008c\u001bd\ufffe\uffff",
  "\u202egpj.exe\u2066x\u2069",
  "x".repeat(10_000),
  "\ud800 lone",
  "",
  "\u200b\u200d",
  "👩‍👩‍👧‍👦".repeat(200),
];

describe("SVG", () => {
  it("is well-formed whatever names are, and shows them as text", () => {
    const scene = boardScene(
      hostile.map((name, row) => ({
        id: row + 1,
        column: 0,
        row,
        node: { name },
        view: { detail: name },
      })),
    );
    const svg = sceneSvg(scene, { ...theme, font: `"A & B", 'c'` }, { title: hostile.join() });
    expect(notWellFormed(svg)).toBeNull();
    expect(svg.includes("<script")).toBe(false);
    expect(svg.includes("&lt;script&gt;alert(1)&lt;/script&gt;")).toBe(true);
    expect(/[\u202e\u2066]/u.test(svg)).toBe(false);
  });

  it("is well-formed for any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 60 }), (name) => {
      const svg = sceneSvg(boardScene([{ id: 1, column: 0, row: 0, node: { name } }]), theme);
      expect(notWellFormed(svg)).toBeNull();
    }));
  });

  it("has the whole drawing, or the part that is requested, and says states in words", () => {
    const scene = boardScene(
      [
        { id: 1, column: 0, row: 0, node: { name: "orders", hasAlerts: true, stale: true } },
        { id: 2, column: 3, row: 0, node: { name: "far" }, view: { hiddenChildren: 7 } },
        { id: 3, column: 3, row: 4, node: { name: "below", hollow: true } },
      ],
      [[1, 2], [3, 1]],
    );
    const whole = sceneSvg(scene, theme);
    expect(whole).toContain(`viewBox="-48 -48 1356 480"`);
    expect(whole).toContain("<title>orders, Table, stale, alert</title>");
    for (
      const text of [">far<", ">below<", ">+7<", `stroke-dasharray="7 5"`, `stroke-dasharray="8 5"`]
    ) {
      expect(whole).toContain(text);
    }
    const part = sceneSvg(scene, theme, { area: { x: 900, y: 0, width: 400, height: 100 } });
    expect(part).not.toContain(">orders<");
    expect(part).toContain(">far<");
  });
});

describe("a caption", () => {
  const caption = {
    title: `Lineage of <b>"orders"</b>`,
    subtitle: "27 November 2026 at 03:00",
    legend: [{ label: "Dataset", colour: "#123456" }, {
      label: "x".repeat(500),
      colour: "#654321",
    }],
  };
  const scene = boardScene([{ id: 1, column: 0, row: 0, node: { name: "orders" } }]);

  it("stands above the drawing of an SVG file, as text that runs nothing", () => {
    const plain = sceneSvg(scene, theme);
    const svg = sceneSvg(scene, theme, { caption });
    const heightOf = (text: string) => Number(/ height="(\d+)"/.exec(text)![1]);
    expect(heightOf(svg)).toBe(heightOf(plain) + 84);
    expect(notWellFormed(svg)).toBeNull();
    expect(svg).toContain(">27 November 2026 at 03:00<");
    expect(svg).toContain(`fill="#123456"`);
    expect(svg).not.toContain("<b>");
    expect(svg, "what has no room").not.toContain("#654321");
  });

  it("is painted once over the tiles of a PNG file", async () => {
    const { brush, calls } = recorder();
    const read = (width: number, height: number) => new Uint8ClampedArray(4 * width * height);
    const painter = new Painter(() => ({}));
    await scenePng({ scene, theme, painter, caption, makeTile: () => ({ brush, read }) });
    expect(calls.filter((call) => call.startsWith("fillText(27 November"))).toHaveLength(1);
  });
});

describe("CSV", () => {
  it("gives back what went in, and runs nothing", () => {
    fc.assert(fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (cells) => {
      fc.pre(!cells.some((cell) => cell.includes("\0")));
      const [read] = parse(csvText(cells, []), {
        bom: true,
        relax_column_count: true,
      }) as string[][];
      if (cells.every((cell) => cell === "")) return;
      const plain = (texts: string[]) => texts.map((text) => text.replaceAll("'", ""));
      expect(plain(read!)).toEqual(plain(cells));
      for (const cell of read!) expect(cell).not.toMatch(/^\s*[=+\-@]/);
    }));
  });

  it("guards what a spreadsheet would run, also behind spaces, and leaves numbers be", () => {
    const cells = [
      "=1+1",
      "+1",
      "-1",
      "@x",
      "\t=1",
      "  =1",
      "\uff1d1",
      "a=b",
      "a;=1",
      'a; "@x',
      -5,
      null,
      true,
    ];
    expect(csvText(["h"], [cells]).slice(1)).toBe(
      `h\r\n'=1+1,'+1,'-1,'@x,'\t'=1,'  =1,'\uff1d1,a=b,a;'=1,"a; ""'@x",-5,,true\r\n`,
    );
  });

  it("lists the entities of a lineage with their distance", () => {
    const csv = impactCsv([
      {
        node: node(1, { name: 'a "b", c' }),
        side: "root",
        distance: 0,
        hops: { upstream: 0, downstream: 0 },
        owners: ["Ann", "=Bob"],
      },
      {
        node: node(2, { type: null, source: null, hasAlerts: true }),
        side: "both",
        distance: 2,
        hops: { upstream: 5, downstream: 2 },
      },
      {
        node: node(3, { groups: [9] }),
        side: "beside",
        distance: null,
        hops: { upstream: null, downstream: null },
      },
    ], false);
    expect(csv.split("\r\n").slice(1)).toEqual([
      `1,"a ""b"", c",TABLE,DATA_SET,shop,root,0,Ann; '=Bob,UNASSIGNED,false,false,false,0,0,0,0,false`,
      "2,n2,,DATA_SET,,both,2,,UNASSIGNED,true,false,false,0,0,5,2,false",
      "3,n3,TABLE,DATA_SET,shop,beside,,,UNASSIGNED,false,false,false,0,0,,,false",
      "",
    ]);
  });
});

describe("PNG", () => {
  it("is painted tile by tile and put together whole", async () => {
    const { brush } = recorder();
    let [tiles, paintedTile] = [0, 0];
    const done: number[] = [];
    const png = await scenePng({
      scene: largeScene(8, 10),
      theme,
      painter: new Painter(() => ({})),
      scale: 1,
      makeTile: () => ({
        brush,
        read(width, height) {
          paintedTile = ++tiles;
          return new Uint8ClampedArray(4 * width * height).fill(paintedTile);
        },
      }),
      progress: (share) => void done.push(share),
    });
    const image = decode(new Uint8Array(await png.blob.arrayBuffer()));
    expect([image.width, image.height]).toEqual([png.width, png.height]);
    expect([png.width, png.height, png.reduced]).toEqual([2_716, 880, false]);
    const at = (x: number, y: number) => image.data[4 * (y * image.width + x)];
    expect([at(0, 0), at(2_715, 0), at(0, 879), at(2_715, 879)]).toEqual([1, 2, 3, 4]);
    expect([at(2_047, 511), at(2_048, 512)]).toEqual([1, 4]);
    expect(done.at(-1)).toBe(1);
  });

  it("is made smaller rather than cropped, and says so", () => {
    const area = { x: 0, y: 0, width: 100_000, height: 2_000 };
    expect(scaleFor(area, 2)).toBeCloseTo(0.16384);
    expect(scaleFor({ ...area, width: 1_000, height: 1_000 }, 2)).toBe(2);
    const square = { ...area, width: 20_000, height: 20_000 };
    expect((20_000 * scaleFor(square, 2)) ** 2).toBeLessThanOrEqual(pngLimits.pixels + 1);
  });
});
