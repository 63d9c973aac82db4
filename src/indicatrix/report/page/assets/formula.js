// A formula as a reader writes it: its text is parsed and becomes MathML. What the parser does not know stays text.
const MATHML = "http://www.w3.org/1998/Math/MathML";
const math = (tag, ...children) => {
  const node = document.createElementNS(MATHML, tag);
  node.append(...children);
  return node;
};
// In parentheses, which grow only around fractions.
const fenced = (open, inner, close) => {
  const signs = [open, close].map(sign => math("mo", sign));
  if (!inner.some(node => node.tagName === "mfrac" || node.querySelector("mfrac"))) for (const sign of signs) sign.setAttribute("stretchy", "false");
  return math("mrow", signs[0], ...inner, signs[1]);
};
const TOKEN = /\s*(\d+(?:\.\d*)?(?:e[+-]?\d+)?|[A-Za-z_]\w*|\*\*|[-+*/(),])/y;
const tokensOf = text => {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex, found = TOKEN.exec(text);
    if (!found) throw new SyntaxError(text.slice(from));
    tokens.push(found[1]);
  }
  return tokens;
};
// Nodes know how tightly they bind, so that only the parentheses are written that a reader needs.
const SUM = 1, PRODUCT = 2, POWER = 3, ATOM = 4;
const formulaNodes = text => {
  const tokens = tokensOf(text);
  let at = 0;
  const next = sign => tokens[at] === sign && (at += 1) > 0;
  const need = sign => { if (!next(sign)) throw new SyntaxError(sign); };
  const bound = ({node, binds}, least) => binds >= least ? node : fenced("(", [node], ")");
  const sum = () => {
    let left = product();
    for (let sign; (sign = next("+") ? "+" : next("-") ? "−" : ""); ) {
      const right = product();
      left = {node: math("mrow", left.node, math("mo", sign), bound(right, sign === "−" ? PRODUCT : SUM)), binds: SUM};
    }
    return left;
  };
  const product = () => {
    let left = unary();
    for (let sign; (sign = next("*") ? "*" : next("/") ? "/" : ""); ) {
      const right = unary();
      left = sign === "/" ? {node: math("mfrac", left.node, right.node), binds: PRODUCT}
        : {node: math("mrow", bound(left, PRODUCT), math("mo", "·"), bound(right, PRODUCT)), binds: PRODUCT};
    }
    return left;
  };
  const unary = () => next("-") ? {node: math("mrow", math("mo", "−"), bound(unary(), PRODUCT)), binds: PRODUCT} : power();
  const power = () => {
    const base = atom();
    return next("**") ? {node: math("msup", bound(base, ATOM), unary().node), binds: POWER} : base;
  };
  const atom = () => {
    if (next("(")) {
      const inner = sum();
      need(")");
      return inner;
    }
    const token = tokens[at++];
    if (/^\d/.test(token)) return {node: math("mn", token), binds: ATOM};
    if (!/^[A-Za-z_]/.test(token || "") || ["if", "else", "and", "or"].includes(token)) throw new SyntaxError(token);
    if (!next("(")) return {node: math("mi", {pi: "π", alpha: "α", beta: "β", gamma: "γ", delta: "δ", omega: "ω"}[token] || token), binds: ATOM};
    const given = [sum()];
    while (next(",")) given.push(sum());
    need(")");
    if (token === "sqrt") return {node: math("msqrt", given[0].node), binds: ATOM};
    if (token === "abs") return {node: fenced("|", [given[0].node], "|"), binds: ATOM};
    const list = given.flatMap((one, k) => k ? [math("mo", ","), one.node] : [one.node]);
    return {node: math("mrow", math("mi", token), fenced("(", list, ")")), binds: ATOM};
  };
  const whole = sum();
  if (at < tokens.length) throw new SyntaxError(tokens[at]);
  return whole.node;
};
const LONGEST_FORMULA = 160;  // a longer one is easier to read as text
const formulaOf = (name, text) => {
  if (!text) return el("code", {}, "computed by a function");
  if (text.length <= LONGEST_FORMULA) {
    try {
      const whole = math("math", math("mrow", math("mi", pretty(name)), math("mo", "="), formulaNodes(text)));
      whole.setAttribute("display", "block");
      return whole;
    } catch (wrong) {
      if (!(wrong instanceof SyntaxError)) throw wrong;
    }
  }
  return el("code", {}, text);
};
