// Small pieces that all sections draw with. Texts are always text: nothing here reads HTML.
const SVG = "http://www.w3.org/2000/svg";
const fill = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") node.style.cssText = value ?? "";  // the policy of the page refuses the attribute
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter(child => child !== null && child !== undefined));
  return node;
};
const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
// A name. A long one is cut in the middle where there is no room: its end is a part of its own, which stays.
const LONGEST_WHOLE = 80;  // letters of a name that a narrow page writes in several lines
const letters = name => [...new Intl.Segmenter().segment(name)].map(part => part.segment);
const label = (name, attributes = {}) => {
  if (name.length <= 24) return el("bdi", {class: "label", ...attributes}, name);
  const parts = letters(name), end = Math.min(8, parts.length >> 1);
  return el("bdi", {class: parts.length > LONGEST_WHOLE ? "label long cut" : "label long", title: name, ...attributes}, el("span", {}, parts.slice(0, parts.length - end).join("")), el("span", {}, parts.slice(parts.length - end).join("")));
};
const shortened = (name, most) => {
  const parts = letters(name);
  return parts.length <= most ? name : `${parts.slice(0, most >> 1).join("")}…${parts.slice(parts.length - ((most - 1) >> 1)).join("")}`;
};

const grouped = new Intl.NumberFormat("en-US", {maximumFractionDigits: 2});
const count = x => Number.isFinite(x) ? grouped.format(x) : "?";
// Three digits, or so many more that a value does not look like 0 or 1 unless it is; rounding leaves 1e-9 at most.
const nearBound = size => {
  for (let places = 3; places < 9; places++) if (![0, 1].includes(+size.toFixed(places))) return size.toFixed(places);
  return size.toFixed(3);
};
// Three digits, as in the text report; a dash where a value is undefined.
const digits = x => {
  if (Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  const size = Math.abs(x);
  const text = size <= 1 ? nearBound(size) : size < 1000 ? size.toFixed(3) : size < 1e7 ? size.toLocaleString("en-US", {maximumFractionDigits: 1}) : size.toExponential(3);
  return x < 0 && Number(text.replace(/,/g, "")) !== 0 ? `−${text}` : text;
};
const signed = x => Number.isNaN(x) ? "–" : Math.abs(x) < 5e-9 ? "0" : x > 0 ? `+${digits(x)}` : digits(x);
const percent = x => Number.isNaN(x) ? "–" : x > 0 && x < 0.0005 ? "<0.1%" : `${(100 * x).toFixed(1)}%`;
// A number that programs can read with all its digits.
const number = (x, text = digits(x)) => el("data", {value: String(x), class: Number.isFinite(x) ? "number" : "number undefined"}, text);

// What Python computed when the page was made, and the page itself does not.
const fromPython = (...children) => el("span", {class: "from-python", title: "computed by Python when the page was made"}, ...children);

// Whether more or less of a measure is better; of some neither is, and of a formula it may not be known.
const hasDirection = better => better === "higher" || better === "lower";

const pretty = name => name.replace(/_/g, " ");
// What a measure is called under averages: accuracy of whole examples is accuracy, its averages over classes are label accuracy.
const nameUnder = (measure, averages = DATA.averages.map(one => one.name)) => {
  const {averaged, alone} = DATA.measures[measure];
  return averaged && averages.some(average => average !== "binary") ? averaged : alone || measure;
};
const scoreName = (measure, average) => DATA.measures[measure].averages.length ? nameUnder(measure, []) : `${average} ${nameUnder(measure, [average])}`;
// The name of a score whose measure explains itself.
const scoreTitle = (measure, average) => [DATA.measures[measure].averages.length ? "" : `${average} `, measureName(measure, nameUnder(measure, DATA.measures[measure].averages.length ? [] : [average]))];
// What a score is if undefined values count as 0, where they are left out and the two are far apart; nothing otherwise.
const asZero = (measure, average, found, units = DATA.units) => {
  if (!found || found.fixed || !found.lost.length || state.convention.otherwise !== "exclude" || !Number.isFinite(found.value)) return null;
  const {value} = score(measure, average, {units, convention: {otherwise: 0, absent: null}});
  return Math.abs(value - found.value) > 0.01 ? el("span", {class: "change as-zero", "data-value": value}, `as 0: ${digits(value)}`) : null;
};
let ids = 0;
const select = (title, options, chosen, change) => {
  const id = `choice-${ids += 1}`;
  const list = el("select", {id, onchange: event => change(event.target.value)},
    options.map(([value, text]) => el("option", {value, selected: value === chosen}, text)));
  return el("span", {class: "choice"}, el("label", {for: id}, title), list);
};
// The averages of a measure in a menu that follows the measure: what has one version only is a value of whole examples, under no average.
const hasOneVersion = measure => DATA.measures[measure].averages.length > 0;
const averageOf = (measure, wanted, names) => has(measure, wanted) ? wanted : names.find(name => has(measure, name)) ?? wanted;
const averageMenu = (title, names, change) => {
  const id = `choice-${ids += 1}`, list = el("select", {id, onchange: event => { if (event.target.value) change(event.target.value); }});
  const show = (measure, average) => {
    const options = hasOneVersion(measure) ? [["", "none: whole examples"]] : names.filter(name => has(measure, name)).map(name => [name, name]);
    list.disabled = hasOneVersion(measure);
    list.replaceChildren(...options.map(([value, text]) => el("option", {value, selected: value === average || !value}, text)));
  };
  return Object.assign(el("span", {class: "choice"}, el("label", {for: id}, title), list), {show});
};
// A few choices side by side, one of them pressed.
const radios = (title, options, chosen, change) => {
  const name = `choice-${ids += 1}`;
  return el("fieldset", {class: "choices"}, el("legend", {}, title), options.map(([value, text]) => {
    const id = `${name}-${value}`;
    return el("span", {}, el("input", {type: "radio", name, id, value, checked: value === chosen, onchange: () => change(value)}),
      el("label", {for: id}, text));
  }));
};
// An average at the head of a column; binary is of the positive class.
const averageName = average => average === "binary" && POSITIVE !== null ? ["binary: ", label(POSITIVE)] : [average];
const measureName = (measure, called = measure) => el("button", {type: "button", class: "measure", title: "What it says", onclick: () => about(measure)}, pretty(called));

// Where a value lies in the range of its measure, from 0 to 1; infinite ends are cut at the values that occur.
const scale = (measure, values = []) => {
  const ends = DATA.measures[measure].range, finite = values.filter(Number.isFinite);
  const low = typeof ends[0] === "number" ? ends[0] : Math.min(0, ...finite);
  const high = typeof ends[1] === "number" ? ends[1] : Math.max(1, ...finite);
  return x => Math.max(0, Math.min(1, (x - low) / (high - low)));
};

// A bar on the range of a measure, from 0 if the range has it; an interval as a line, a floor as a mark.
const bar = (measure, value, {low = NaN, high = NaN, floor = NaN, width = 120, height = 14, values = []} = {}) => {
  const at = scale(measure, [value, low, high, ...values]), x = v => 1 + at(v) * (width - 2), zero = x(0), middle = height / 2;
  const parts = [svg("rect", {class: "track", x: 0, y: middle - 3, width, height: 6, rx: 3})];
  if (Number.isFinite(value)) {
    const from = Math.min(zero, x(value)), to = Math.max(zero, x(value));
    parts.push(svg("rect", {class: "value", x: from, y: middle - 3, width: Math.max(1.5, to - from), height: 6, rx: 3}));
  }
  if (Number.isFinite(low) && Number.isFinite(high)) {
    parts.push(svg("path", {class: "interval", d: `M${x(low)} ${middle}H${x(high)}M${x(low)} ${middle - 4}v8M${x(high)} ${middle - 4}v8`}));
  }
  if (Number.isFinite(floor)) parts.push(svg("path", {class: "floor", d: `M${x(floor)} 0v${height}`}));
  return svg("svg", {class: "bar-chart", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"}, parts);
};

// Light, dark, or as the system is set.
const themeSwitch = () => {
  const next = {auto: "dark", dark: "light", light: "auto"}, names = {auto: "System colors", dark: "Dark", light: "Light"};
  let theme = "auto";
  const button = el("button", {type: "button", class: "plain", id: "theme", onclick: () => {
    theme = next[theme];
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = names[theme];
    button.setAttribute("aria-label", `Colors: ${names[theme]}`);
    for (const update of state.updates) update();
  }}, names.auto);
  button.setAttribute("aria-label", `Colors: ${names.auto}`);
  document.getElementById("switches").append(button);
};

// What a measure says: formula, range, what it promises and when it misleads.
const about = measure => {
  const facts = DATA.measures[measure], dialog = document.getElementById("about");
  const [low, high] = facts.range.map(end => String(end));
  const better = {higher: "higher is better", lower: "lower is better", neither: "neither direction is better", unknown: "which direction is better is not known"}[facts.better] ?? "which direction is better is not known";
  const yes = [], no = [];
  for (const [name, holds] of Object.entries(facts.properties)) (holds === true ? yes : no).push(holds === true ? DATA.glosses[name] : holds);
  const list = (title, texts) => texts.length ? [el("h3", {}, title), el("ul", {}, texts.map(text => el("li", {}, text)))] : [];
  dialog.replaceChildren(
    el("form", {method: "dialog"}, el("button", {class: "close", "aria-label": "Close"}, "×")),
    el("h2", {id: "about-title"}, pretty(measure)),
    el("p", {}, facts.what),
    el("div", {class: "formula"}, formulaOf(measure, facts.formula)),
    el("p", {class: "quiet"}, facts.facts ? facts.facts.join(" ") : `${facts.own ? "Its range is not known here" : `From ${low} to ${high}`}; ${better}.`, facts.aliases.length ? ` Also called ${facts.aliases.map(pretty).join(", ")}.` : ""),
    ...list("When it misleads", facts.misleads || no), ...list("When to use it", facts.use || []),
    ...(facts.misleads ? list("What its formula implies", [...yes, ...no]) : list("What it promises", yes)));
  dialog.showModal();
};

// What a convention does with undefined values. Classes are absent if they have no true examples, or no predicted ones either.
const absentWords = absent => absent === "both" ? "classes neither true nor predicted" : "classes with no true examples";
const conventionWords = ({otherwise, absent}) => {
  const plain = otherwise === "exclude" ? "left out" : otherwise === "nan" ? "kept as undefined" : `counted as ${otherwise}`;
  return absent ? `${absentWords(absent)} left out, others ${plain}` : plain;
};
const fewNames = names => names.slice(0, 3).join(", ") + (names.length > 3 ? ` and ${names.length - 3} more` : "");
// What was undefined in a score and what became of it.
const lostWords = (average, found) => {
  if (AVERAGES[average].pooled) return "undefined: 0 is divided by 0";
  return `undefined for ${lostUnits(average, found)}: ${conventionWords(state.convention)}`;
};
// The units without a value: a few by name, more by number.
const lostUnits = (average, found) => {
  const rule = AVERAGES[average], {names, times} = DATA.units[rule.units];
  if (rule.pooled) return "the pooled counts";
  const many = is => times ? total(is.map(i => times[i])) : is.length;
  const whole = many(found.values.map((_, i) => i));
  if (!names) return `${count(many(found.lost))} of ${count(whole)} ${whole === 1 ? "example" : "examples"}`;
  return fewNames(found.lost.map(i => names[i]));
};

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
