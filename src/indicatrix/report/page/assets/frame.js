// The page: its data, its scores, the convention that all sections share, and the list of sections.
//
// A section's script calls section(name, draw). draw(root, content) gets the section's element and what its Python module made,
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
  for (const [name, draw] of drawn) {
    const update = draw(document.getElementById(name), DATA.sections[name]);
    if (update) state.updates.push(update);
  }
  for (const region of document.querySelectorAll(".scroll")) hintAtScrolling(region);
  window.indicatrix = {formulaOf, addedMeasure, wilson, quantileOf, DATA, FORMULAS, state, score, setConvention, valuesOf, scoreOf, apply, movedUnits, normalized};
};
