import { readFileSync } from "node:fs";

/** A named value: a parameter, or a member of a shape. */
export interface Member {
  name: string;
  required: boolean;
  /** `i64`, `i32`, `int`, `num`, `str`, `bool`, `ts`, `uuid`, `any`, `map<…>` or the name of a shape; `[]` at its end for a list. */
  type: string;
}

/** A shape of the published contract. */
export interface Shape {
  name: string;
  /** The values of a closed set; then it has no members. */
  values?: string[];
  /** Shapes whose members it has as well. */
  includes: string[];
  members: Member[];
}

let shapesRead: Map<string, Shape> | undefined;

/** The shapes of the published contract; read from `shapes.txt` beside this file. */
export function publishedShapes(): Map<string, Shape> {
  return shapesRead ??= readShapes();
}

function readShapes(): Map<string, Shape> {
  const text = readFileSync(new URL("shapes.txt", import.meta.url), "utf8");
  const shapes = text.split("\n").filter((line) => line !== "").map(shapeOf);
  return new Map(shapes.map((shape) => [shape.name, shape]));
}

function shapeOf(line: string): Shape {
  const [name = "", ...words] = line.split(" ");
  if (words[0] === "=") return { name, values: words.slice(1), includes: [], members: [] };
  return {
    name,
    includes: words.filter((word) => word.startsWith("+")).map((word) => word.slice(1)),
    members: membersOf(words.filter((word) => !word.startsWith("+")).join(" ")),
  };
}

/** The members in a text such as `page!:i32 query:str`. */
export function membersOf(text: string): Member[] {
  return text.split(" ").filter((word) => word !== "").map((word) => {
    const [name = "", type = "any"] = word.split(":");
    const required = name.endsWith("!");
    return { name: required ? name.slice(0, -1) : name, required, type };
  });
}

/** All members of a shape, with those of the shapes that it includes. */
export function allMembers(shapes: Map<string, Shape>, name: string): Member[] {
  const shape = shapes.get(name);
  if (!shape) return [];
  return [...shape.includes.flatMap((other) => allMembers(shapes, other)), ...shape.members];
}
