// A rule of `deno lint`: texts of the web interface are in message files, so that they are translated.

type Context = Deno.lint.RuleContext;

/** Properties and attributes that people read. */
const read =
  /^(title|label|aria-label|about|save|hint|none|empty|action|placeholder|how|heading|cancel|text|alt|name|what|todo)$/;
/** Elements whose text is the same in every language. */
const literal = /^(code|kbd|samp|pre|style)$/;
/** Two words, or one that begins like a label. */
const phrase = /\p{L}{2,}[,;:.]? \p{L}|\p{L} \p{L}{2,}/u;
const label = /^\p{Lu}\p{Ll}+/u;

/** Markup, addresses, fonts, keys of storage and of the keyboard. */
const technical = /[<>]|="|:\/\/|mailto:|^tributary\.|\dpx |^npm |repeat\(|^(Ctrl|Home) /;

const message =
  'text that people read belongs into web/messages/en and is shown with t("area.name")';

/** Finds text in JSX, and strings that read like text. It cannot detect a single word in lower case outside of JSX. */
export function interfaceText(context: Context): Deno.lint.LintVisitor {
  if (!/\/web\/(app|components|features|graph|kit)\//.test(context.filename)) return {};
  // What tests compare, and SVG.
  if (/\/graph\/(export|testing)\/|\/graph\/.*(-text|svg)\.ts$/.test(context.filename)) return {};
  if (/\.(test|gen)\.tsx?$/.test(context.filename)) return {};
  const check = (node: Deno.lint.Node, text: string, parent: Deno.lint.Node) => {
    if (isExempt(parent) || technical.test(text)) return;
    if (phrase.test(text) || (label.test(text) && namesWhatIsRead(parent))) {
      context.report({ node, message });
    }
  };
  return {
    JSXText(node) {
      const tag = node.parent.type === "JSXElement"
        ? context.sourceCode.getText(node.parent.openingElement.name)
        : "";
      if (/\p{L}{2}/u.test(node.value) && !literal.test(tag)) context.report({ node, message });
    },
    Literal(node) {
      const { value, parent } = node;
      const isKey = parent.type === "Property" && parent.key.range[0] === node.range[0];
      if (typeof value === "string" && !isKey) check(node, value, parent);
    },
    TemplateLiteral(node) {
      const text = node.quasis.map(({ cooked }) => cooked).join("\u0000");
      if (technical.test(text)) return;
      if (/\p{L}{3,}[ ,.;:]|[ ,]\p{L}{2,}/u.test(text)) check(node, `X ${text} x`, node.parent);
    },
  };
}

/** Class names, styles, imports, and what only developers see. */
function isExempt(node: Deno.lint.Node): boolean {
  for (let at: Deno.lint.Node | undefined = node; at; at = parentOf(at)) {
    if (at.type === "ImportDeclaration" || at.type === "TSLiteralType") return true;
    if (at.type === "NewExpression" && /Error$/.test(nameOf(at.callee))) return true;
    if (at.type === "CallExpression") {
      const callee = nameOf(at.callee);
      if (
        /^(t|classes|names|matchMedia|querySelector(All)?|closest|matches|warn|error)$/.test(callee)
      ) return true;
    }
    if (at.type === "JSXAttribute") {
      return /^(class(Name)?|style|d|to|href|height|width|rel|role|type|accept)$/.test(
        nameOf(at.name),
      );
    }
    if (/Function|Program/.test(at.type)) return false;
  }
  return false;
}

/** Whether a string stands where people read it, also as one of two. */
function namesWhatIsRead(node: Deno.lint.Node): boolean {
  if (/^(ConditionalExpression|LogicalExpression|JSXExpressionContainer)$/.test(node.type)) {
    const outer = parentOf(node);
    return outer !== undefined && namesWhatIsRead(outer);
  }
  if (node.type === "JSXAttribute") return read.test(nameOf(node.name));
  return node.type === "Property" && read.test(nameOf(node.key));
}

function nameOf(node: Deno.lint.Node): string {
  if (node.type === "Identifier" || node.type === "JSXIdentifier") return node.name;
  return node.type === "MemberExpression" ? nameOf(node.property) : "";
}

function parentOf(node: Deno.lint.Node): Deno.lint.Node | undefined {
  return "parent" in node ? node.parent as Deno.lint.Node : undefined;
}
