import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import ts from "typescript";
import { repositoryFiles } from "../../../tools/checks/check.ts";

/** A statement as it is declared. */
export interface DeclaredStatement {
  file: string;
  /** Its name; what is computed of it is `*`. */
  name: string;
  /** Its columns by name; null without a type of rows, and where that is a type parameter. */
  columns: Map<string, DeclaredColumn> | null;
}

export interface DeclaredColumn {
  /** Kind of its values: `number`, `string[]`, `object`. */
  kind: string;
  isOptional: boolean;
}

const product = /^(cache|eventlog|graph|metadata|platform|services|storage)\/.*\.ts$/;
const notProduct = /\.test\.ts$|\/testing\/|postgres\/statement\.ts$/;
const declares = /\b(statement|plannedEachTime)(<|\()/;

/** Files of the product that declare statements. */
export async function statementFiles(): Promise<string[]> {
  return (await repositoryFiles(product)).filter((file) =>
    !notProduct.test(file) && declares.test(readFileSync(file, "utf8"))
  );
}

/** All statements that are declared in files. */
export function declarationsIn(files: string[]): DeclaredStatement[] {
  const program = ts.createProgram(files.map((file) => resolve(file)), {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2023,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  });
  const checker = program.getTypeChecker();
  return files.flatMap((file) => {
    const source = program.getSourceFile(resolve(file))!;
    return declarations(source).map(({ name, rows }) => ({
      file,
      name,
      columns: rows ? columnsOf(checker, rows) : null,
    }));
  });
}

function declarations(node: ts.Node): { name: string; rows: ts.TypeNode | undefined }[] {
  const found: ReturnType<typeof declarations> = [];
  const visit = (at: ts.Node): void => {
    if (
      ts.isCallExpression(at) && /^(statement|plannedEachTime)$/.test(at.expression.getText())
    ) {
      found.push({ name: nameOf(at.arguments[0]!), rows: at.typeArguments?.[0] });
    }
    ts.forEachChild(at, visit);
  };
  visit(node);
  return found;
}

function nameOf(given: ts.Expression): string {
  if (ts.isStringLiteralLike(given)) return given.text;
  return ts.isTemplateExpression(given)
    ? given.getText().slice(1, -1).replaceAll(/\$\{[^}]*\}/g, "*")
    : "*";
}

function columnsOf(checker: ts.TypeChecker, rows: ts.TypeNode): DeclaredStatement["columns"] {
  const type = checker.getTypeFromTypeNode(rows);
  if (type.flags & ts.TypeFlags.TypeParameter) return null;
  return new Map(
    checker.getPropertiesOfType(type).map((property) => [
      property.name,
      {
        kind: kindOf(checker, checker.getTypeOfSymbolAtLocation(property, rows)),
        isOptional: (property.flags & ts.SymbolFlags.Optional) !== 0,
      },
    ]),
  );
}

/** What a value is when it is not null. */
function kindOf(checker: ts.TypeChecker, given: ts.Type): string {
  const type = checker.getNonNullableType(given);
  const [first] = type.isUnion() ? type.types : [type];
  const { flags } = first!;
  if (flags & ts.TypeFlags.NumberLike) return "number";
  if (flags & ts.TypeFlags.StringLike) return "string";
  if (flags & ts.TypeFlags.BooleanLike) return "boolean";
  if (flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any | ts.TypeFlags.TypeParameter)) return "any";
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference);
    return `${kindOf(checker, element!)}[]`;
  }
  const name = first!.symbol?.name;
  return name === "Date" || name === "Uint8Array" ? name : "object";
}
