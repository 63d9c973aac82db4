// The page: its data, its scores, the convention that all sections share, and the list of sections.
//
// A script calls section(name, draw) for each of its sections. draw(root, content) gets the section's element and what its Python module made,
// builds the section once, and may return a function that is called whenever the convention changes.
// Scores: score("f1", "macro") under the convention of the page; score("f1", "macro", {units, convention}) for other counts.

const DATA = JSON.parse(document.getElementById("data").textContent);
const known = xs => xs.map(x => x === null ? NaN : x);
for (const units of Object.values(DATA.units)) for (const cell of ["tp", "fp", "fn", "tn"]) units[cell] = known(units[cell]);

const POSITIVE = DATA.positive_name;  // the name of the positive class, or null
const AVERAGES = Object.fromEntries(DATA.averages.map(average => [average.name, average]));
const state = {convention: DATA.convention};
const drawn = [];
const section = (name, draw) => drawn.push([name, draw]);
const sameConvention = (a, b) => a.otherwise === b.otherwise && a.absent === b.absent;

// Whether a measure has an average: a name may have a meaning for some averages only, and some weights are of some measures.
const has = (measure, average) => {
  const only = DATA.measures[measure].averages, rule = AVERAGES[average];
  if (only.length && !only.includes(average)) return false;
  return rule.general || measure in OWN_WEIGHTS[average];
};

// The score of a measure under an average: {value, values, weights, lost, fixed}, or null if the measure does not have it.
// fixed: the page holds this number, but not what it is made of.
const score = (measure, average, {units = DATA.units, convention = state.convention} = {}) => {
  if (!has(measure, average)) return null;
  const rule = AVERAGES[average];
  if (!(measure in FORMULAS) || !(rule.units in units)) {
    const value = units === DATA.units ? DATA.fixed[measure]?.[average] : undefined;
    return value === undefined ? null : {value: value ?? NaN, values: [], weights: null, lost: [], fixed: true};
  }
  const weight = !rule.weighted ? null : rule.general ? WEIGHTS[average] : OWN_WEIGHTS[average][measure];
  return scoreOf(FORMULAS[measure], {pooled: rule.pooled, weight}, units[rule.units], convention);
};

const setConvention = convention => {
  state.convention = convention;
  for (const update of state.updates) update();
};

// The confusion matrix as rows of [column, count], and each row's and column's total.
const MATRIX = DATA.matrix && DATA.matrix.map(([steps, counts]) => {
  let column = -1;
  return steps.map((step, i) => [column += step, counts[i]]);
});

const start = () => {
  state.updates = [];
  themeSwitch();
  for (const [name, draw] of drawn.filter(([name]) => name in DATA.sections)) {
    const update = draw(document.getElementById(name), DATA.sections[name]);
    if (update) state.updates.push(update);
  }
  for (const region of document.querySelectorAll(".scroll")) hintAtScrolling(region);
  window.indicatrix = {formulaOf, addedMeasure, wilson, quantileOf, DATA, FORMULAS, state, score, setConvention, valuesOf, scoreOf, apply, movedUnits, normalized};
};

// Arithmetic on the embedded counts: the matrix normalized and ordered, and the same classifier at other class frequencies.
const sums = xs => total(xs.filter(Number.isFinite));
const actualOf = units => units.tp.map((tp, i) => tp + units.fn[i]);
const predictedOf = units => units.tp.map((tp, i) => tp + units.fp[i]);

// Totals of the rows and columns of the matrix, and of all of it.
const matrixTotals = () => {
  const rows = MATRIX.map(row => total(row.map(([, x]) => x))), columns = MATRIX.map(() => 0);
  for (const row of MATRIX) for (const [j, x] of row) columns[j] += x;
  return {rows, columns, all: total(rows)};
};
// An entry as a count or as a share of its row, its column or all; undefined where 0 is divided by 0.
const normalized = (x, i, j, kind, totals) => {
  if (kind === "none") return x;
  return ratio(x, kind === "row" ? totals.rows[i] : kind === "column" ? totals.columns[j] : totals.all);
};

// The classes in an order: as given, the largest first, most errors first, or classes that are confused next to each other.
const classOrder = (kind, totals) => {
  const order = DATA.classes.map((_, i) => i);
  const right = MATRIX.map((row, i) => (row.find(([j]) => j === i) || [0, 0])[1]);
  if (kind === "size") order.sort((a, b) => totals.rows[b] - totals.rows[a] || a - b);
  if (kind === "error") {
    const error = order.map(i => totals.rows[i] ? 1 - right[i] / totals.rows[i] : -1);
    order.sort((a, b) => error[b] - error[a] || a - b);
  }
  if (kind === "similarity") {
    const place = similarityVector(totals);
    order.sort((a, b) => place[a] - place[b] || a - b);
  }
  return order;
};
// The second eigenvector of the shares of confusions in both directions: neighbors in it are often confused.
const similarityVector = totals => {
  const m = MATRIX.length, links = [];
  MATRIX.forEach((row, i) => row.forEach(([j, x]) => {
    if (i !== j && x > 0) links.push([i, j, (ratio(x, totals.rows[i]) || 0) + 1e-9]);
  }));
  const degree = Array(m).fill(1e-6);
  for (const [i, j, w] of links) { degree[i] += w; degree[j] += w; }
  const root = degree.map(Math.sqrt);
  let v = degree.map((_, i) => Math.sin(1 + i * 1.618));
  for (let step = 0; step < 300; step++) {
    const next = v.map((x, i) => x + 1e-6 * x / degree[i]);
    for (const [i, j, w] of links) { next[i] += w * v[j] / (root[i] * root[j]); next[j] += w * v[i] / (root[i] * root[j]); }
    const shift = next.reduce((s, x, i) => s + x * root[i], 0) / root.reduce((s, r) => s + r * r, 0);
    const clean = next.map((x, i) => x - shift * root[i]), length = Math.hypot(...clean) || 1;
    v = clean.map(x => x / length);
  }
  return v.map((x, i) => x / root[i]);
};

// The units of the same classifier if class k has the share p of all examples, and the others keep their ratios.
// Of several labels, only the prevalence of label k changes. Units that are not known any more are left out.
const movedUnits = (k, p, together) => {
  const units = DATA.units.class, m = units.tp.length, cells = {tp: [], fp: [], fn: [], tn: []};
  const moved = {class: {...cells, times: null, classes: true, names: units.names}};
  if (together) {
    const actual = actualOf(units), all = total(actual), own = actual[k] / all;
    const factor = actual.map((x, i) => x === 0 ? 0 : (i === k ? p : x / all * (1 - p) / (1 - own)) * all / x);
    const fp = Array(m).fill(0), answered = MATRIX.map(row => total(row.map(([, x]) => x)));
    MATRIX.forEach((row, i) => row.forEach(([j, x]) => { if (i !== j) fp[j] += x * factor[i]; }));
    for (let i = 0; i < m; i++) {
      cells.tp.push(units.tp[i] * factor[i]);
      cells.fn.push(units.fn[i] * factor[i]);
      cells.fp.push(fp[i]);
    }
    const present = actual.map((x, i) => x * factor[i]), now = total(present);
    for (let i = 0; i < m; i++) cells.tn.push(now - present[i] - fp[i]);
    const silent = total(actual.map((x, i) => (x - answered[i]) * factor[i])), right = total(cells.tp);
    const rows = [[1, 0, 0, m - 1, right], [0, 1, 1, m - 2, now - right - silent], [0, 0, 1, m - 1, silent]].filter(row => row[4] > 1e-12 * now);
    const column = c => rows.map(row => row[c]);
    moved.example = {tp: column(0), fp: column(1), fn: column(2), tn: column(3), times: column(4), classes: false};
  } else {
    for (let i = 0; i < m; i++) {
      const [tp, fp, fn, tn] = cellsOf(units, i), n = tp + fp + fn + tn;
      const up = i === k ? p * n / (tp + fn) : 1, down = i === k ? (1 - p) * n / (fp + tn) : 1;
      cells.tp.push(tp * up); cells.fp.push(fp * down); cells.fn.push(fn * up); cells.tn.push(tn * down);
    }
  }
  const only = index => Object.fromEntries(["tp", "fp", "fn", "tn"].map(c => [c, [index === null ? total(cells[c]) : cells[c][index]]]));
  moved.all = {...only(null), times: null, classes: false};
  if (DATA.positive !== null) moved.binary = {...only(DATA.positive), times: null, classes: false};
  return moved;
};
