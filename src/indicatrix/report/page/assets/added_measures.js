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
