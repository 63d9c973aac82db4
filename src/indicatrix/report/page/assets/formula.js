// A formula as text: parsed once into a tree, which is drawn as a reader writes it, and computed with counts. No code is run.
//
// A tree is {kind, ...}: "number" {text}, "name" {text}, "neg" {of}, "+", "-", "*", "/", "**" {left, right}, "call" {name, given}.
const TOKEN = /\s*(\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|[A-Za-z_]\w*|\*\*|[-+*/(),])/iy;
const LONGEST_TEXT = 1000, DEEPEST = 60;  // as in Python
const tokensOf = text => {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (text.slice(TOKEN.lastIndex).trim()) {
    const from = TOKEN.lastIndex, found = TOKEN.exec(text);
    if (!found) throw new SyntaxError(`what does “${text.slice(from).trim().slice(0, 20)}” mean?`);
    tokens.push(found[1]);
  }
  return tokens;
};
const parseFormula = text => {
  if (text.length > LONGEST_TEXT) throw new SyntaxError(`it has more than ${LONGEST_TEXT} characters`);
  const tokens = tokensOf(text);
  let at = 0, depth = 0;
  const next = sign => tokens[at] === sign && (at += 1) > 0;
  const need = sign => { if (!next(sign)) throw new SyntaxError(at < tokens.length ? `“${sign}” is missing before “${tokens[at]}”` : `“${sign}” is missing at its end`); };
  const deeper = read => {
    if ((depth += 1) > DEEPEST) throw new SyntaxError(`it nests more than ${DEEPEST} operations`);
    const made = read();
    depth -= 1;
    return made;
  };
  const sum = () => {
    let left = product();
    for (let sign; (sign = next("+") ? "+" : next("-") ? "-" : ""); ) left = {kind: sign, left, right: product()};
    return left;
  };
  const product = () => {
    let left = unary();
    for (let sign; (sign = next("*") ? "*" : next("/") ? "/" : ""); ) left = {kind: sign, left, right: unary()};
    return left;
  };
  const unary = () => next("-") ? {kind: "neg", of: deeper(unary)} : next("+") ? deeper(unary) : power();
  const power = () => {
    const base = atom();
    return next("**") ? {kind: "**", left: base, right: deeper(unary)} : base;
  };
  const atom = () => {
    if (next("(")) {
      const inner = deeper(sum);
      need(")");
      return inner;
    }
    const token = tokens[at++];
    if (token === undefined) throw new SyntaxError("it ends too early");
    if (/^[.\d]/.test(token)) return {kind: "number", text: token};
    if (!/^[A-Za-z_]/.test(token) || ["if", "else", "and", "or"].includes(token)) throw new SyntaxError(`“${token}” is not expected there`);
    if (!next("(")) return {kind: "name", text: token};
    const given = [deeper(sum)];
    while (next(",")) given.push(deeper(sum));
    need(")");
    return {kind: "call", name: token, given};
  };
  const whole = sum();
  if (at < tokens.length) throw new SyntaxError(`“${tokens[at]}” is not expected there`);
  return whole;
};

// Counts that a formula names, and the functions that it calls, each with the fewest values that it takes.
const MARGINALS = {
  tp: (tp, fp, fn, tn) => tp, fp: (tp, fp, fn, tn) => fp, fn: (tp, fp, fn, tn) => fn, tn: (tp, fp, fn, tn) => tn, tpos: (tp, fp, fn, tn) => tp + fn,
  tneg: (tp, fp, fn, tn) => fp + tn, ppos: (tp, fp, fn, tn) => tp + fp, pneg: (tp, fp, fn, tn) => fn + tn, n: (tp, fp, fn, tn) => tp + fp + fn + tn,
};
const CALLS = {sqrt: [sqrt, 1], log: [log, 1], exp: [exp, 1], sin: [sin, 1], cos: [cos, 1], asin: [asin, 1], abs: [abs, 1], min: [min, 2], max: [max, 2]};
const MOST_EXACT = 64n;  // a higher power of whole numbers is computed with floats
const isBig = x => typeof x === "bigint";
// Whole numbers stay big integers where both are, as in Python; otherwise both are floats.
const both = operate => (a, b) => isBig(a) && isBig(b) ? operate(a, b) : operate(Number(a), Number(b));
const SIGNS = {"+": both((a, b) => a + b), "-": both((a, b) => a - b), "*": both((a, b) => a * b), "/": ratio,
  "**": (a, b) => isBig(a) && isBig(b) && b >= 0n && b <= MOST_EXACT ? a ** b : pow(Number(a), Number(b))};
// The formula as a pair of functions, of floats and of big integers; names are counts, pi, or parameters with a value.
const compileFormula = (tree, params = {}) => {
  const compile = node => {
    if (node.kind === "number") {
      const value = Number(node.text), whole = /^\d+$/.test(node.text);
      if (!Number.isFinite(value)) throw new SyntaxError(`${node.text} is too large`);
      return (tp, ...rest) => whole && isBig(tp) ? BigInt(node.text) : value;
    }
    if (node.kind === "name") {
      if (Object.hasOwn(MARGINALS, node.text)) return MARGINALS[node.text];
      if (node.text === "pi") return () => Math.PI;
      if (Object.hasOwn(params, node.text)) return () => params[node.text];
      throw new SyntaxError(Object.hasOwn(CALLS, node.text) ? `${node.text} is a function: write ${node.text}(…)` : `${node.text} is not a count`);
    }
    if (node.kind === "neg") { const of = compile(node.of); return (...four) => -of(...four); }
    if (node.kind === "call") {
      if (!Object.hasOwn(CALLS, node.name)) throw new SyntaxError(`${node.name} is not a function of formulas`);
      const [run, least] = CALLS[node.name], given = node.given.map(compile);
      if (given.length < least || (least === 1 && given.length > 1)) throw new SyntaxError(`${node.name} takes ${least === 1 ? "one value" : "two values or more"}, not ${given.length}`);
      if (node.name === "abs") return (...four) => abs(given[0](...four));
      if (least === 1) return (...four) => run(Number(given[0](...four)));
      return (...four) => given.map(one => one(...four)).reduce((a, b) => both(run)(a, b));
    }
    const [left, right, operate] = [compile(node.left), compile(node.right), SIGNS[node.kind]];
    return (...four) => operate(left(...four), right(...four));
  };
  const made = compile(tree);
  return [made, made];
};

// The tree as MathML. Nodes know how tightly they bind, so that only the parentheses are written that a reader needs.
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
const SUM = 1, PRODUCT = 2, POWER = 3, ATOM = 4, GREEK = {pi: "π", alpha: "α", beta: "β", gamma: "γ", delta: "δ", omega: "ω"};
const drawFormula = node => {
  const bound = (one, least) => { const {node: drawn, binds} = drawFormula(one); return binds >= least ? drawn : fenced("(", [drawn], ")"); };
  const drawn = one => drawFormula(one).node;
  switch (node.kind) {
    case "number": return {node: math("mn", node.text), binds: ATOM};
    case "name": return {node: math("mi", GREEK[node.text] || node.text), binds: ATOM};
    case "neg": return {node: math("mrow", math("mo", "−"), bound(node.of, PRODUCT)), binds: PRODUCT};
    case "**": return {node: math("msup", bound(node.left, ATOM), drawn(node.right)), binds: POWER};
    case "/": return {node: math("mfrac", drawn(node.left), drawn(node.right)), binds: PRODUCT};
    case "*": return {node: math("mrow", bound(node.left, PRODUCT), math("mo", "·"), bound(node.right, PRODUCT)), binds: PRODUCT};
    case "call": {
      if (node.name === "sqrt") return {node: math("msqrt", drawn(node.given[0])), binds: ATOM};
      if (node.name === "abs") return {node: fenced("|", [drawn(node.given[0])], "|"), binds: ATOM};
      const list = node.given.flatMap((one, k) => k ? [math("mo", ","), drawn(one)] : [drawn(one)]);
      return {node: math("mrow", math("mi", node.name), fenced("(", list, ")")), binds: ATOM};
    }
    default: return {node: math("mrow", drawn(node.left), math("mo", node.kind === "-" ? "−" : "+"), bound(node.right, node.kind === "-" ? PRODUCT : SUM)), binds: SUM};
  }
};
const LONGEST_FORMULA = 160;  // a longer one is easier to read as text
const formulaOf = (name, text) => {
  if (!text) return el("code", {}, "computed by a function");
  if (text.length <= LONGEST_FORMULA) {
    try {
      const whole = math("math", math("mrow", math("mi", pretty(name)), math("mo", "="), drawFormula(parseFormula(text)).node));
      whole.setAttribute("display", "block");
      return whole;
    } catch (wrong) {
      if (!(wrong instanceof SyntaxError)) throw wrong;
    }
  }
  return el("code", {}, text);
};

// A measure that a reader names: one of the catalogue, one with other parameters, or a formula of their own.
const knownNames = () => Object.entries(DATA.measures).flatMap(([name, {aliases}]) => [name, ...aliases].map(own => [plainName(own), name]));
const plainName = text => text.trim().toLowerCase().replace(/[-_\s]+/g, "_");
// Whether a text can only be a name: words, of which one at least is neither a count nor a number.
const isName = text => /^[\p{L}\p{N}_\s-]+$/u.test(text) && text.split(/[\s-]+/).some(word => word && !Object.hasOwn(MARGINALS, word) && word !== "pi" && !/^\d/.test(word));

// How many letters must change to make one text of another, two that changed places counted once.
const slips = (a, b) => {
  const rows = [Array.from({length: b.length + 1}, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2][j - 2] + 1 : Infinity;
      rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1), swapped);
    }
  }
  return rows[a.length][b.length];
};
// Up to three measures with a name like this one: with few slips, or of the same words.
const nearestMeasures = text => {
  const wanted = plainName(text).slice(0, 80), words = new Set(wanted.split("_"));
  const far = own => Math.min(slips(wanted, own) / Math.max(wanted.length, own.length), own.split("_").every(word => words.has(word)) || wanted.split("_").every(word => own.split("_").includes(word)) ? 0.35 : 1);
  const near = knownNames().map(([own, name]) => [far(own), name]).filter(([distance]) => distance <= 0.4).sort((a, b) => a[0] - b[0]);
  return [...new Set(near.map(([, name]) => name))].slice(0, 3);
};

// A measure of a family with other parameters: f_beta(beta=2). Null if the text names no family.
const withParameters = text => {
  const called = /^\s*([A-Za-z_]\w*)\s*\((.*)\)\s*$/.exec(text), family = called && Object.keys(DATA.measures).find(name => name.startsWith(`${called[1]}(`));
  if (!family || !called[2].includes("=")) return null;
  const params = Object.fromEntries([...family.matchAll(/(\w+)=([-\d.e/]+)/g)].map(([, name, value]) => [name, value]));
  for (const part of called[2].split(",")) {
    const [name, value, ...more] = part.split("=").map(piece => piece.trim());
    if (!Object.hasOwn(params, name)) throw new SyntaxError(`${called[1]} has no parameter ${name}; it has ${Object.keys(params).join(", ")}`);
    if (more.length || value === undefined || value === "" || !Number.isFinite(Number(value))) throw new SyntaxError(`${name} needs a number, such as ${name}=2`);
    const [low, high] = DATA.measures[family].domain[name], inside = (low === null || value >= low) && (high === null || value <= high);
    if (!inside) throw new SyntaxError(`${called[1]} is defined for ${name} from ${low ?? "−∞"} to ${high ?? "∞"}, not for ${value}`);
    params[name] = value;
  }
  const numbers = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, Number(value)]));
  const name = `${called[1]}(${Object.entries(numbers).map(([own, value]) => `${own}=${value}`).join(", ")})`;
  const {formula, what, better} = DATA.measures[family];
  return {name, formula, what, better, pair: compileFormula(parseFormula(formula), numbers)};
};

// What a reader names becomes a measure of the page: {measure}, or {says, near} where there is none.
const addedMeasure = text => {
  const wanted = text.trim(), found = knownNames().find(([own]) => own === plainName(wanted));
  if (found) return {measure: found[1]};
  const [first, ...rest] = wanted.split(/\s+/);
  if (rest.length && first.toLowerCase() in AVERAGES && isName(wanted)) {
    const inner = addedMeasure(rest.join(" "));
    return inner.measure ? inner : {...inner, says: `${inner.says} Averages are the columns: write the measure alone.`};
  }
  if (isName(wanted)) {
    const near = nearestMeasures(wanted);
    return {says: `There is no measure “${shortened(wanted, 60)}”.${near.length ? "" : " Write a name of the catalogue, which the field lists, or a formula such as tp/(tp+fp)."}`, near};
  }
  try {
    const made = withParameters(wanted) || {name: wanted.replace(/\s+/g, " "), formula: wanted, what: "A formula that a reader of this page wrote.", better: "unknown", pair: compileFormula(parseFormula(wanted))};
    if (!(made.name in DATA.measures)) {
      DATA.measures[made.name] = {what: made.what, formula: made.formula, range: ["-∞", "∞"], better: made.better, group: "", aliases: [], averages: [], properties: {}, own: true};
      FORMULAS[made.name] = made.pair;
    }
    return {measure: made.name};
  } catch (wrong) {
    if (!(wrong instanceof SyntaxError)) throw wrong;
    return {says: `“${shortened(wanted, 60)}” is not a formula: ${wrong.message}. Write arithmetic on ${Object.keys(MARGINALS).join(", ")} with + - * / **, numbers, pi and ${Object.keys(CALLS).join(", ")}.`, near: []};
  }
};
