// Counts become numbers: values of units, their weights, and means under a convention for undefined values.
const SMALL = 2 ** 13;  // below it, products of four counts are exact in floats
const isWhole = four => four.every(Number.isInteger);

// The value of a pair of functions (of floats, of big integers) at four counts.
const apply = ([ofFloats, ofIntegers], four) => {
  if (four[0] + four[1] + four[2] + four[3] < SMALL || !isWhole(four)) return Number(ofFloats(...four));
  return Number(ofIntegers(...four.map(BigInt)));
};

// Units: {tp: [...], fp: [...], fn: [...], tn: [...], times: [...] or null, classes: whether the units are classes}.
const size = units => units.tp.length;
const cellsOf = (units, i) => [units.tp[i], units.fp[i], units.fn[i], units.tn[i]];
const valuesOf = (measure, units) => Array.from({length: size(units)}, (_, i) => apply(measure, cellsOf(units, i)));

// The weight of each unit; null if all weigh the same. A unit of which nothing was observed weighs nothing.
const weightsOf = (weight, units, pooled) => {
  if (pooled) return null;
  const weights = Array.from({length: size(units)}, (_, i) => {
    const four = cellsOf(units, i);
    if (four.every(x => x === 0)) return 0;
    return (weight ? apply(weight, four) : 1) * (units.times ? units.times[i] : 1);
  });
  return weight || units.times || weights.includes(0) ? weights : null;
};

// A convention: {otherwise: "exclude", "nan" or a number, absent: null, "both" or "true"}.
const absentUnits = (convention, units) => {
  if (!convention.absent || !units.classes) return null;
  const absent = units.tp.map((tp, i) => tp + units.fn[i] + (convention.absent === "both" ? units.fp[i] : 0) === 0);
  return absent.some(Boolean) ? absent : null;
};

// A sum that keeps the digits that a plain sum loses.
const total = xs => {
  let sum = 0, lost = 0;
  for (const x of xs) {
    const next = sum + x;
    lost += Math.abs(sum) >= Math.abs(x) ? (sum - next) + x : (x - next) + sum;
    sum = next;
  }
  return Number.isFinite(lost) ? sum + lost : sum;
};

const standIn = otherwise => typeof otherwise === "number" ? otherwise : NaN;

// The weighted mean of values under a convention; the mean of nothing, or with weights that nobody knows, is undefined.
const combine = (values, weights, otherwise) => {
  const used = [], parts = [];
  values.forEach((value, i) => {
    let weight = weights ? weights[i] : 1;
    if (!Number.isFinite(value)) {
      if (otherwise === "exclude") { weight = 0; value = 0; }
      else if (typeof otherwise === "number") value = otherwise;
      else value = weight === 0 ? 0 : NaN;
    }
    used.push(weight);
    parts.push(value * weight);
  });
  const sum = total(used);
  return sum === 0 || Number.isNaN(sum) ? standIn(otherwise) : total(parts) / sum;
};

// A score: its value, the values and weights of its units, and which units are undefined.
const scoreOf = (measure, average, units, convention) => {
  const values = valuesOf(measure, units);
  const weights = weightsOf(average.weight, units, average.pooled);
  if (average.pooled) {
    const defined = Number.isFinite(values[0]);
    return {value: defined ? values[0] : standIn(convention.otherwise), values, weights, lost: defined ? [] : [0]};
  }
  const absent = absentUnits(convention, units);
  const used = absent ? values.map((_, i) => absent[i] ? 0 : weights ? weights[i] : 1) : weights;
  const lost = values.flatMap((v, i) => (Number.isFinite(v) && !(absent && absent[i])) || (weights && weights[i] === 0) ? [] : [i]);
  return {value: combine(values, used, convention.otherwise), values, weights: used, lost};
};
