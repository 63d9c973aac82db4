// The functions that formulas call. ratio is the only place where an undefined value is born.
const ratio = (num, den) => {
  const a = Number(num), b = Number(den);
  if (b === 0) return a === 0 || Number.isNaN(a) ? NaN : a > 0 ? Infinity : -Infinity;
  return a / b;
};
const isNan = x => typeof x === "number" && Number.isNaN(x);
const min = (a, b) => isNan(a) || isNan(b) ? NaN : a < b ? a : b;
const max = (a, b) => isNan(a) || isNan(b) ? NaN : a > b ? a : b;
const abs = x => x < 0 ? -x : x;
const pow = (base, exponent) => base === 1 || exponent === 0 ? 1 : Math.pow(base, exponent);
const {sqrt, log, log1p, exp, sin, cos, asin} = Math;

// The normal quantile: Newton's steps on the distribution, on the side where it has all its digits.
const probit = p => {
  if (!(p > 0 && p < 1)) return p === 1 ? Infinity : p === 0 ? -Infinity : NaN;
  const q = p - 0.5, tail = Math.min(p, 1 - p);
  if (q === 0) return 0;
  const t = sqrt(-2 * log(tail));
  let x = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  x = Math.max(x, 1e-300);
  if (Math.abs(q) < 0.2) x = Math.abs(q) * 2.5066282746310002;
  for (let step = 0; step < 60; step++) {
    const density = exp(-x * x / 2) * 0.3989422804014327;
    const error = x < 2 ? center(x, density) - Math.abs(q) : tail - upperTail(x, density);
    const newton = error / density, next = x - newton / (1 + x * newton / 2);
    if (!(Math.abs(next - x) > 2e-16 * x)) { x = next; break; }
    x = next;
  }
  return q < 0 ? -x : x;
};
// P(0 < Z < x): x + x^3/3 + x^5/(3 5) + …, times the density.
const center = (x, density) => {
  let term = x, sum = x;
  for (let k = 3; term > sum * 1e-18; k += 2) sum += term *= x * x / k;
  return sum * density;
};
// P(Z > x) for x >= 2: density / (x + 1/(x + 2/(x + 3/(x + …)))).
const upperTail = (x, density) => {
  let below = x;
  for (let k = 200; k > 0; k--) below = x + k / below;
  return density / below;
};

const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360];
const stirlingRest = x => STIRLING.reduceRight((sum, c) => sum / (x * x) + c, 0) / x;
const log_gamma = x => {
  if (!(x > 0)) return x === 0 ? Infinity : NaN;
  let shift = 0;
  for (; x < 15; x++) shift += log(x);
  return (x - 0.5) * log(x) - x + log(2 * Math.PI) / 2 + stirlingRest(x) - shift;
};
// log(x!) - x log(x) + x.
const beyondStirling = x => {
  if (!(x > 0)) return Number(x) === 0 ? 0 : NaN;
  x = Number(x);
  if (x < 10) return log_gamma(x + 1) - x * log(x) + x;
  return (log(2 * Math.PI) + log(x)) / 2 + stirlingRest(x);
};
// q log(q) - x of a quotient q and its excess x over 1, with all digits also near q = 1.
const information = (quotient, excess) => {
  if (excess >= -0.5 && excess <= 1) {
    const u = excess / (2 + excess);
    let sum = 0;
    for (let k = 17; k > 0; k--) sum += u ** (2 * k) / (2 * k + 1);
    return excess * u + 2 * quotient * u * sum;
  }
  return quotient > 0 ? quotient * log(quotient) - excess : quotient === 0 ? 1 : NaN;
};
const choose = (n, k) => {
  let c = 1n;
  for (let i = 1n; i <= k; i++) c = c * (n - k + i) / i;
  return c;
};
// The logarithm of the chance of a table with given marginals.
const log_table_chance = (tp, fp, fn, tn) => {
  const four = [tp, fp, fn, tn], n = tp + fp + fn + tn;
  if (n <= 500 && four.every(x => x >= 0 && (typeof x === "bigint" || Number.isInteger(x)))) {
    const [a, b, c, d] = four.map(BigInt);
    const above = choose(a + b, a) * choose(c + d, c), below = choose(a + b + c + d, a + c);
    return 2n * above > below ? log1p(bigRatio(above - below, below)) : log(bigRatio(above, below));
  }
  const [ppos, pneg, tpos, tneg] = [tp + fp, fn + tn, tp + fn, fp + tn], difference = tp * tn - fp * fn;
  let sum = 0;
  for (const [cell, row, column, sign] of [[tp, ppos, tpos, 1], [fp, ppos, tneg, -1], [fn, pneg, tpos, -1], [tn, pneg, tneg, 1]]) {
    const product = row * column;
    if (product != 0) sum += ratio(product, n) * information(ratio(cell * n, product), sign * ratio(difference, product));
  }
  const all = xs => xs.reduce((total, x) => total + beyondStirling(x), 0);
  return all([ppos, pneg, tpos, tneg]) - all([n, ...four]) - sum;
};
// A quotient of big integers that may be larger than any float.
const bigRatio = (a, b) => {
  const size = x => (x < 0n ? -x : x).toString(2).length;
  const shift = BigInt(Math.max(0, size(b) - 900, size(a) - 900));
  if (shift === 0n) return Number(a) / Number(b);
  return Number((a << 60n) / b) / 2 ** 60;
};

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
