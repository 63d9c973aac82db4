// Round numbers from one end to the other, about four steps.
const roundTicks = (low, high) => {
  const rough = (high - low) / 4, size = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 2.5, 5, 10].map(x => x * size).find(x => x >= rough);
  return Array.from({length: 6}, (_, i) => (Math.ceil(low / step - 1e-9) + i) * step).filter(x => x <= high + 1e-9 * step);
};
// The lower envelope of the costs of all thresholds: fnr p + fpr (1 - p) at probability cost p.
const costEnvelope = (fpr, fnr) => {
  const at = p => Math.min(...fpr.map((x, i) => fnr[i] * p + x * (1 - p)).filter(Number.isFinite));
  return Array.from({length: 201}, (_, i) => [i / 200, at(i / 200)]);
};
// Net benefit of so many treated at a threshold probability p; the limit where nobody is treated in vain.
const netBenefit = (tp, fp, n, p) => fp === 0 ? ratio(tp, n) : p < 1 ? ratio(tp, n) - ratio(fp, n) * p / (1 - p) : NaN;

section("curves", (root, content) => {
  for (const column of content.columns) {
    for (const cell of ["tp", "fp", "fn", "tn"]) column[cell] = known(column[cell]);
    const last = column.thresholds.length - 1;
    column.thresholds = column.thresholds.map((t, i) => t !== null ? t : i < last ? Infinity : last === 0 ? Infinity : -Infinity);
    column.ends = column.ends.map((end, i) => end !== null ? end : column.thresholds[i] === -Infinity ? -Infinity : Infinity);
    column.likely = column.reliability !== null;
    const n = i => column.tp[i] + column.fp[i] + column.fn[i] + column.tn[i], each = f => column.tp.map((_, i) => f(...cellsOf(column, i), i));
    column.n = n(0);
    column.tpr = each((tp, fp, fn) => ratio(tp, tp + fn));
    column.fpr = each((tp, fp, fn, tn) => ratio(fp, fp + tn));
    column.fnr = each((tp, fp, fn) => ratio(fn, tp + fn));
    column.precision = each((tp, fp) => ratio(tp, tp + fp));
  }
  const nearest = (column, wanted) => column.thresholds.reduce((best, t, i) => Math.abs(t - wanted) < Math.abs(column.thresholds[best] - wanted) ? i : best, column.thresholds.length > 1 ? 1 : 0);
  // Where a threshold is among those that were kept: at the nearest.
  const placeOf = (column, wanted) => Number.isFinite(wanted) ? nearest(column, wanted) : 0;
  const better = name => DATA.measures[name].better;
  const bestOf = (column, name) => {
    if (!hasDirection(better(name))) return -1;
    const values = valuesOf(FORMULAS[name], column), sign = better(name) === "lower" ? -1 : 1;
    return values.reduce((best, v, i) => Number.isFinite(v) && (best < 0 || sign * v > sign * values[best]) ? i : best, -1);
  };
  let column = content.columns[0], measure = content.main;
  const begin = () => content.start !== null ? placeOf(column, content.start) : column.likely ? placeOf(column, 0.5) : Math.max(0, bestOf(column, measure));
  let k = begin();

  const thresholdText = t => t === Infinity ? "above all scores" : t === -Infinity ? "below all scores" : String(+t.toPrecision(6)).replace("-", "−");
  const slider = el("input", {type: "range", id: "threshold", min: 0, step: 1, oninput: event => move(column.thresholds.length - 1 - event.target.value)});
  const exact = el("input", {type: "number", id: "threshold-number", step: "any", "aria-label": "Threshold as a number", onchange: event => {
    if (event.target.value !== "") move(placeOf(column, +event.target.value));
  }});
  const best = el("button", {type: "button", class: "plain", id: "best-threshold", onclick: () => move(bestOf(column, measure))});
  const says = el("p", {"aria-live": "polite", id: "threshold-says"}), charts = el("div", {class: "plots"}), counts = el("div", {class: "scroll"}), list = el("div", {class: "measures-at"});
  const noClass = () => column.name === null, className = () => noClass() ? "positive" : label(column.name), ofClass = () => noClass() ? "" : ` of ${column.name}`;
  const areaText = (name, title) => {
    const area = column.areas[name];
    if (!area || area[0] === null) return "";
    return `${title} ${digits(area[0])}${area.length > 1 ? ` (${digits(area[1])} to ${digits(area[2])})` : ""}`;
  };

  // Each plot: what it shows, its lines, and where its mark is. place(k): a point, or a path for plots whose mark is a line.
  const unit = [0, 1], fifths = [0, 0.25, 0.5, 0.75, 1];
  // Bands as closed paths: from the upper left to the lower right ends of two intervals, or between the ends of steps from 0.
  const boxes = (xs, ys) => [...xs.map(([x], i) => [x, ys[i][1]]), ...xs.map(([, x], i) => [x, ys[i][0]]).reverse()];
  const steps = (xs, ys) => { const seen = ys.flatMap(([low], i) => Number.isFinite(low) ? [i] : []), side = end => stepsFromZero(seen.map(i => xs[i]), seen.map(i => ys[i][end])); return [...side(1), ...side(0).reverse()]; };
  const plots = () => {
    const zip = (xs, ys) => xs.map((x, i) => [x, ys[i]]), t = column.thresholds, finite = t.filter(Number.isFinite);
    const places = [...finite, ...column.ends.filter(Number.isFinite)], lowest = Math.min(...places), highest = Math.max(...places);
    const ends = column.likely ? unit : lowest < highest ? [lowest, highest] : [(finite[0] || 0) - 1, (finite[0] || 0) + 1];
    const within = v => Math.max(ends[0], Math.min(ends[1], v));
    // The counts of a threshold hold up to their own end, down to where those of the next lower one begin: draw(i, to, from).
    const held = draw => t.flatMap((_, i) => draw(i, within(column.ends[i]), within(column.ends[i + 1] ?? -Infinity)));
    const stretched = column.likely && isSaturated(finite) ? logOdds(finite) : null, along = stretched ? stretched.at : t => t;
    const ticks = stretched ? stretched.ticks : column.likely ? fifths : roundTicks(...ends);
    const z = quantileOf(DATA.level), both = quantileOf(sqrt(DATA.level)), sure = column.independent;  // two intervals of √level hold together in the share level
    const made = [];
    const positives = column.tp[0] + column.fn[0], negatives = column.fp[0] + column.tn[0];
    if (positives && negatives) {
      made.push({key: "roc", title: "ROC", area: areaText("auc", "AUC"), axes: ["False positive rate", "True positive rate"], lines: [["curve curve-0", zip(column.fpr, column.tpr)], ["origin", [[0, 0], [1, 1]]]], place: i => [column.fpr[i], column.tpr[i]],
        band: sure ? boxes(column.fpr.map(x => wilson(x, negatives, both)), column.tpr.map(y => wilson(y, positives, both))) : null, bandSays: "both rates at each threshold"});
    }
    if (positives) {
      made.push({key: "pr", title: "Precision and recall", area: areaText("average_precision", "Average precision"), axes: ["Recall", "Precision"],
        lines: [["curve curve-0", stepsFromZero(column.tpr, column.precision)], ["origin", [[0, positives / column.n], [1, positives / column.n]]]], place: i => [column.tpr[i], column.precision[i]],
        band: sure ? steps(column.tpr, column.precision.map((y, i) => wilson(y, column.tp[i] + column.fp[i], z))) : null, bandSays: "precision at each threshold"});
    }
    const values = valuesOf(FORMULAS[measure], column), defined = values.filter(Number.isFinite), [bottom, top] = DATA.measures[measure].range;
    const low = Math.min(typeof bottom === "number" ? bottom : 0, ...defined), high = Math.max(typeof top === "number" ? top : 1, ...defined);
    made.push({key: "measure", title: `${pretty(measure)} and the threshold`, axes: [stretched ? "Threshold, logarithmic towards 0 and 1" : "Threshold", pretty(measure)], xs: ticks, ys: [low, (low + high) / 2, high], x: stretched ? stretched.ends : ends, y: [low, high === low ? low + 1 : high],
      lines: [["curve curve-0", held((i, to, from) => [[along(to), values[i]], [along(from), values[i]]])]], place: i => [along(within(t[i])), values[i]]});
    if (column.likely) {
      const {predicted, observed, weight} = column.reliability, heaviest = Math.max(...weight);
      made.push({key: "reliability", title: "Reliability", area: `Calibration error ${digits(column.reliability.error[0] ?? NaN)}`, axes: ["Predicted probability", "Observed share"], lines: [["origin", [[0, 0], [1, 1]]], ["curve curve-0", zip(predicted, observed)]],
        bars: sure ? predicted.map((x, i) => [x, ...wilson(observed[i], weight[i], z)]) : null, bandSays: "the observed share in each bin",
        dots: predicted.map((x, i) => [x, observed[i], 2 + 5 * Math.sqrt(weight[i] / heaviest), `${count(weight[i])} with ${digits(x)} predicted: ${digits(observed[i])} observed`]), upright: i => Math.max(0, Math.min(1, t[i]))});
    }
    if (positives && negatives) {
      made.push({key: "cost", title: "Cost", area: areaText("cost", "Expected cost"), axes: ["Probability cost", "Normalized expected cost"], lines: [["origin", [[0, 0], [0.5, 0.5], [1, 0]]], ["curve curve-0", costEnvelope(column.fpr, column.fnr)]],
        line: i => [[0, column.fpr[i]], [1, column.fnr[i]]]});
    }
    if (column.likely) {
      const benefit = (i, p) => netBenefit(column.tp[i], column.fp[i], column.n, p), fine = Array.from({length: 201}, (_, i) => i / 200);
      const curve = held((i, to, from) => [to, ...fine.filter(p => from < p && p < to).reverse(), from].map(p => [p, benefit(i, p)])), heights = curve.map(([, y]) => y).filter(Number.isFinite);
      const floor = Math.min(-0.05, ...heights.map(y => Math.max(y, -0.2))), roof = Math.max(0.05, ...heights, positives / column.n);
      const cut = points => points.map(([x, y]) => [x, y < floor ? NaN : y]);
      made.push({key: "decision", title: "Decision", axes: ["Threshold probability", "Net benefit"], y: [floor, roof], ys: [0, roof], lines: [["origin", cut(fine.map(p => [p, netBenefit(positives, negatives, column.n, p)]))], ["curve curve-0", cut(curve)]],
        area: "Dashed: treat all", said: true, place: i => [within(t[i]), benefit(i, within(t[i]))]});
    }
    return made;
  };
  let drawnPlots = [];
  const drawPlots = () => {
    drawnPlots = plots().map(plot => {
      const scales = plotScales(plot.x || unit, plot.y || unit), mark = svg("g", {class: "threshold-mark"});
      const picture = svg("svg", {viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: "img", "aria-label": `${plot.title}${ofClass()}: ${plot.axes[1]} against ${plot.axes[0]}. ${plot.area || ""}`, "data-plot": plot.key}, [
        ...plotAxes(scales, plot.xs || fifths, plot.ys || fifths, plot.axes), ...(plot.band ? [svg("path", {class: "band", d: `${path(plot.band, scales)}Z`})] : []),
        ...(plot.bars || []).filter(scales.inside).map(([x, low, high]) => svg("path", {class: "band-bar", d: `M${scales.x(x)} ${scales.y(low)}V${scales.y(high)}`})), ...plot.lines.map(([kind, points]) => svg("path", {class: kind, d: path(points, scales)})),
        ...(plot.dots || []).map(([x, y, r, text]) => svg("circle", {class: "dot", cx: scales.x(x), cy: scales.y(y), r}, svg("title", {}, text))), mark]);
      const drag = event => {
        const box = picture.getBoundingClientRect(), px = (event.clientX - box.left) / box.width * PLOT.width, py = (event.clientY - box.top) / box.height * PLOT.height;
        const far = i => {
          if (plot.place) { const [x, y] = plot.place(i); return scales.inside([x, y]) ? Math.hypot(scales.x(x) - px, plot.x || plot.key === "decision" ? 0 : scales.y(y) - py) : Infinity; }
          if (plot.upright) return Math.abs(scales.x(plot.upright(i)) - px);
          const p = Math.max(0, Math.min(1, (px - scales.x(0)) / (scales.x(1) - scales.x(0))));
          return Math.abs(scales.y(column.fnr[i] * p + column.fpr[i] * (1 - p)) - py);
        };
        move(column.thresholds.reduce((near, _, i) => far(i) < far(near) ? i : near, 0));
      };
      picture.addEventListener("pointerdown", event => { picture.setPointerCapture(event.pointerId); drag(event); });
      picture.addEventListener("pointermove", event => { if (event.buttons) drag(event); });
      return {plot, scales, mark, figure: el("figure", {class: "plot"}, el("figcaption", {}, el("strong", {}, plot.title), plot.area ? el("span", {class: "quiet"}, plot.said ? plot.area : fromPython(plot.area)) : null), picture,
        plot.band || plot.bars ? el("p", {class: "quiet band-says"}, `${plot.band ? "Band" : "Bars"}: ${levelWords()} of ${plot.bandSays} (Wilson).`) : null)};
    });
    charts.replaceChildren(...drawnPlots.map(one => one.figure));
  };
  const all = el("details", {ontoggle: () => drawAll()}, el("summary", {}, `All ${count(allMeasures().length)} measures at this threshold`)), everything = el("div", {class: "measures-at all"});
  all.append(everything);
  const valueRow = (name, four) => el("div", {class: "measure-at", "data-measure": name}, measureName(name), number(apply(FORMULAS[name], four)));
  const drawAll = () => { if (all.open) everything.replaceChildren(...allMeasures().map(name => valueRow(name, cellsOf(column, k)))); };
  const drawMark = () => {
    const t = column.thresholds[k], four = cellsOf(column, k), [tp, fp, fn, tn] = four;
    for (const {plot, scales, mark} of drawnPlots) {
      const parts = [];
      if (plot.place && scales.inside(plot.place(k))) parts.push(svg("circle", {class: "dot best", cx: scales.x(plot.place(k)[0]), cy: scales.y(plot.place(k)[1]), r: 6}));
      if (plot.upright) parts.push(svg("path", {class: "mark-line", d: `M${scales.x(plot.upright(k))} ${PLOT.top}V${PLOT.height - PLOT.bottom}`}));
      if (plot.line && plot.line(k).every(scales.inside)) parts.push(svg("path", {class: "mark-line", d: path(plot.line(k), scales)}));
      mark.replaceChildren(...parts);
    }
    slider.max = column.thresholds.length - 1;
    slider.value = column.thresholds.length - 1 - k;
    slider.setAttribute("aria-valuetext", thresholdText(t));
    exact.value = Number.isFinite(t) ? +t.toPrecision(6) : "";
    says.replaceChildren("A score of ", el("strong", {}, thresholdText(t)), t === -Infinity || t === Infinity ? "" : " or more", " counts as ", className(), `: ${count(tp + fp)} of ${count(column.n)}.`);
    const cell = (title, x, kind) => el("td", {class: `n ${kind}`, title, "data-cell": title}, number(x, count(x)));
    counts.replaceChildren(el("table", {class: "four"}, el("caption", {class: "hidden"}, "Counts at this threshold"), el("thead", {}, el("tr", {}, el("td", {}), el("th", {scope: "col", class: "n"}, "predicted ", className()), el("th", {scope: "col", class: "n"}, noClass() ? "negative" : "any other"))),
      el("tbody", {}, el("tr", {}, el("th", {scope: "row"}, "actual ", className()), cell("tp", tp, "right"), cell("fn", fn, "wrong")), el("tr", {}, el("th", {scope: "row"}, noClass() ? "negative" : "any other"), cell("fp", fp, "wrong"), cell("tn", tn, "right")))));
    list.replaceChildren(...DATA.shown.filter(name => name in FORMULAS && !DATA.measures[name].averages.length).map(name => el("div", {class: "measure-at", "data-measure": name},
      measureName(name), number(apply(FORMULAS[name], four)), bar(name, apply(FORMULAS[name], four), {width: 110, values: [[tp + fn, fp + tn, 0, 0], [0, 0, tp + fn, fp + tn]].map(all => apply(FORMULAS[name], all))}))));  // on the scale of all thresholds
    const top = bestOf(column, measure);
    best.textContent = top < 0 ? "No best threshold" : `${better(measure) === "lower" ? "Lowest" : "Highest"} ${pretty(measure)}`;
    best.disabled = top < 0;
    drawAll();
  };
  const move = to => { if (to >= 0 && to !== k) { k = to; drawMark(); } };
  const missing = el("p", {class: "quiet"}, "Reliability and decision curves need probabilities, numbers from 0 to 1.");
  const redraw = () => { drawPlots(); drawMark(); missing.hidden = column.likely; };
  const title = one => one.name === null ? "all classes, pooled" : one.name.slice(0, 60);
  root.append(el("div", {class: "controls"},
    content.columns.length > 1 ? select("Scores of", content.columns.map((one, i) => [String(i), title(one)]), "0", value => { column = content.columns[+value]; k = begin(); redraw(); }) : null,
    select("Measure", allMeasures().filter(name => !DATA.measures[name].averages.length).map(name => [name, pretty(name)]), measure, value => { measure = value; redraw(); }), best),
    el("div", {class: "threshold-bar"}, el("label", {for: "threshold"}, "Threshold"), slider, exact), says, charts,
    missing, el("div", {class: "at-threshold"}, counts, list), all, ...content.notes.map(text => el("p", {class: "quiet"}, text)));
  redraw();
});
