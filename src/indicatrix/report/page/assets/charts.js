// Charts that several sections draw: values as dots with intervals, and plots with two axes.
const allMeasures = () => [...DATA.shown, ...Object.keys(DATA.measures).filter(name => !DATA.shown.includes(name))].filter(name => name in FORMULAS);
const levelWords = () => `${+(100 * DATA.level).toPrecision(4)}%`;

// A scale that shows all values and intervals of one chart: the range of the measure, unless the values fill little of it.
const commonScale = (measure, numbers, width, edge = 6) => {
  const finite = numbers.filter(Number.isFinite), [bottom, top] = DATA.measures[measure].range;
  let [low, high] = finite.length ? [Math.min(...finite), Math.max(...finite)] : [0, 1];
  const room = Math.max((high - low) * 0.15, 0.02 * Math.max(Math.abs(low), Math.abs(high)), 1e-9);
  low = typeof bottom === "number" ? Math.max(bottom, low - room) : low - room;
  high = typeof top === "number" ? Math.min(top, high + room) : high + room;
  const at = x => edge + (x - low) / (high - low || 1) * (width - 2 * edge);
  return Object.assign(at, {low, high});
};

// One value on a common scale: a dot, its interval as a line, and a mark for the value of all.
const dot = (at, value, {low = NaN, high = NaN, mark = NaN, width = 220, height = 22, best = false} = {}) => {
  const middle = height / 2, parts = [svg("path", {class: "rule", d: `M0 ${middle}H${width}`})];
  if (Number.isFinite(mark)) parts.push(svg("path", {class: "origin", d: `M${at(mark)} 0V${height}`}));
  if (Number.isFinite(low) && Number.isFinite(high)) parts.push(svg("path", {class: "interval", d: `M${at(low)} ${middle}H${at(high)}M${at(low)} ${middle - 4}v8M${at(high)} ${middle - 4}v8`}));
  if (Number.isFinite(value)) parts.push(svg("circle", {class: best ? "dot best" : "dot", cx: at(value), cy: middle, r: 5}));
  return svg("svg", {class: "dot-chart", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"}, parts);
};
// The two ends of a common scale, below its dots.
const scaleEnds = at => el("span", {class: "scale-ends", "aria-hidden": "true"}, el("span", {}, digits(at.low)), el("span", {}, digits(at.high)));

// A table that is sorted by its heads. columns: [{key, title, numeric, value(i)}]; cells(i) are the cells of row i.
const sortedTable = (caption, columns, cells, {by, down = true} = {}) => {
  const atFirst = () => typeof down === "function" ? down() : down;  // until a reader sorts it himself
  let chosen = by, falling = null;
  const turned = () => falling ?? atFirst();
  const table = el("table", {}), wrap = el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": caption}, table);
  const compare = value => (a, b) => {
    const [x, y] = [value(a), value(b)];
    if (typeof x === "string") return (turned() ? -1 : 1) * x.localeCompare(y, "en", {numeric: true}) || a - b;
    if (!Number.isFinite(x) || !Number.isFinite(y)) return Number.isFinite(y) - Number.isFinite(x) || a - b;  // undefined ones last
    return (turned() ? y - x : x - y) || a - b;
  };
  const draw = (size, titles = {}) => {
    const order = Array.from({length: size}, (_, i) => i), column = columns.find(c => c.key === chosen);
    if (column) order.sort(compare(column.value));
    const heads = columns.map(c => !c.value ? el("th", {scope: "col"}, titles[c.key] ?? c.title) : el("th", {scope: "col", class: c.numeric ? "n" : null,
      "aria-sort": chosen === c.key ? (turned() ? "descending" : "ascending") : "none"},
      el("button", {type: "button", onclick: () => {
        falling = chosen === c.key ? !turned() : Boolean(c.numeric);
        chosen = c.key;
        draw(size, titles);
        table.querySelector("th[aria-sort]:not([aria-sort='none']) button").focus();
      }}, titles[c.key] ?? c.title)));
    table.replaceChildren(el("thead", {}, el("tr", {}, heads)), el("tbody", {}, order.map(i => el("tr", {}, cells(i)))));
  };
  return Object.assign(wrap, {draw});
};

// The width of a chart that fills its place, and its redrawing where the place has another width, as on a phone that is turned.
const fitted = (place, most) => Math.max(280, Math.min(most, place.clientWidth || most));
const redrawFitted = (place, draw) => {
  let before = place.clientWidth;
  new ResizeObserver(() => {
    if (place.clientWidth === before) return;
    before = place.clientWidth;
    draw();
  }).observe(place);
};
// A line above each table that is wider than the page, while it is.
const hintAtScrolling = region => {
  const hint = el("p", {class: "quiet sideways", "aria-hidden": "true", hidden: true}, "Scroll sideways to see all columns →");
  region.before(hint);
  const watch = new ResizeObserver(() => { hint.hidden = region.scrollWidth <= region.clientWidth + 1; });
  for (const one of [region, ...region.children]) watch.observe(one);
};

// Wilson's interval of a share of n examples; z is the normal quantile of the level.
const wilson = (share, n, z) => {
  if (!(n > 0) || !Number.isFinite(share)) return [NaN, NaN];
  const c = z * z / n, middle = (share + c / 2) / (1 + c), half = z / (1 + c) * sqrt(Math.abs(share * (1 - share)) / n + c / (4 * n));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
};
const quantileOf = level => probit((1 + level) / 2);

// Whether most thresholds are probabilities within 0.01 of 0 or 1; and a scale on which these lie apart, logarithmic towards both ends.
const isSaturated = thresholds => thresholds.length > 2 && thresholds.filter(t => Math.min(t, 1 - t) < 0.01).length > thresholds.length / 2;
const logOdds = thresholds => {
  const least = side => Math.max(1e-12, Math.min(0.01, ...side.filter(q => q > 0)) / 2), low = least(thresholds), high = least(thresholds.map(t => 1 - t));
  const at = t => { const inside = Math.max(low, Math.min(1 - high, t)); return log(inside) - log1p(-inside); };
  const powers = q => { const all = []; for (let k = Math.ceil(Math.log10(q)); k < 0; k++) all.push(k); return all.filter((_, i) => i % Math.ceil(all.length / 2) === 0).map(k => 10 ** k); };
  const near = q => q >= 1e-3 ? String(+(1 - q).toPrecision(6)) : `1−${small(q)}`, small = q => q >= 1e-3 ? String(q) : q.toExponential();
  return {at, ends: [at(0), at(1)], ticks: [...powers(low).map(q => [at(q), small(q)]), [0, "0.5"], ...powers(high).map(q => [at(1 - q), near(q)])]};
};

// A square plot with two axes: points [x, y] in axes from 0 to 1 or as given.
const PLOT = {width: 340, height: 300, left: 54, right: 12, top: 12, bottom: 42};
const plotScales = ([x0, x1], [y0, y1]) => {
  const x = v => PLOT.left + (v - x0) / (x1 - x0) * (PLOT.width - PLOT.left - PLOT.right);
  const y = v => PLOT.height - PLOT.bottom - (v - y0) / (y1 - y0) * (PLOT.height - PLOT.top - PLOT.bottom);
  return {x, y, inside: ([a, b]) => Number.isFinite(a) && Number.isFinite(b)};
};
const path = (points, {x, y, inside}) => points.map((point, i) => inside(point) ? `${i && inside(points[i - 1]) ? "L" : "M"}${x(point[0]).toFixed(1)} ${y(point[1]).toFixed(1)}` : "").join("");
// Points of steps: each height holds from the place before it, first from 0.
const stepsFromZero = (xs, ys) => ys.flatMap((y, i) => [[xs[i - 1] ?? 0, y], [xs[i], y]]);
const axisTick = v => String(+v.toPrecision(3)).replace("-", "−");
const plotAxes = (scales, xs, ys, [across, up]) => [
  ...xs.map(v => Array.isArray(v) ? v : [v, axisTick(v)]).map(([v, text]) => svg("text", {class: "quiet-text", x: scales.x(v), y: PLOT.height - 24, "text-anchor": scales.x(v) > PLOT.width - 30 ? "end" : "middle"}, text)),
  ...ys.map(v => svg("g", {}, svg("path", {class: "rule", d: `M${PLOT.left} ${scales.y(v)}H${PLOT.width - PLOT.right}`}), svg("text", {class: "quiet-text", x: PLOT.left - 6, y: scales.y(v) + 4, "text-anchor": "end"}, axisTick(v)))),
  svg("text", {class: "quiet-text", x: (PLOT.left + PLOT.width - PLOT.right) / 2, y: PLOT.height - 6, "text-anchor": "middle"}, across),
  svg("text", {class: "quiet-text", x: 0, y: 0, "text-anchor": "middle", transform: `translate(11 ${(PLOT.height - PLOT.bottom + PLOT.top) / 2}) rotate(-90)`}, up)];
