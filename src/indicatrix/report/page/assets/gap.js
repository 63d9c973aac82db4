// Macro is micro plus the mean over classes of (value of the class - micro): each class adds its part of the difference.
section("gap", (root, content) => {
  const units = DATA.units.class, MOST = 14;
  let measure = content.main;
  const says = el("p", {"aria-live": "polite"}), chart = el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "From micro to macro, class by class"});
  const pooled = () => ({tp: [total(units.tp)], fp: [total(units.fp)], fn: [total(units.fn)], tn: [total(units.tn)], times: null, classes: false});
  const draw = () => {
    const {otherwise} = state.convention, of = (counts, pools) => scoreOf(FORMULAS[measure], {pooled: pools, weight: null}, counts, state.convention);
    const {value: micro} = of(pooled(), true), {value: macro, values, weights, lost} = of(units, false);
    const names = is => fewNames(is.map(i => DATA.classes[i]));
    if (!Number.isFinite(micro) || !Number.isFinite(macro)) {
      says.textContent = `${pretty(measure)} is undefined here${lost.length ? ` (for ${names(lost)}: ${conventionWords(state.convention)})` : ""}, so there is no gap.`;
      chart.replaceChildren();
      return;
    }
    // An undefined class is in the mean with the number that the convention gives it, or is left out.
    const defined = i => Number.isFinite(values[i]), valueOf = i => defined(i) ? values[i] : otherwise;
    const used = values.flatMap((_, i) => weights?.[i] !== 0 && (defined(i) || typeof otherwise === "number") ? [i] : []);
    const inside = new Set(used), left = lost.filter(i => !inside.has(i)), replaced = used.filter(i => !defined(i));
    const weight = measure in DENOMINATORS ? values.map((_, i) => apply(DENOMINATORS[measure], cellsOf(units, i))) : null, heavy = weight && total(weight);
    const parts = used.map(i => ({i, pull: (valueOf(i) - micro) / used.length, value: valueOf(i), undefined: !defined(i), share: weight && weight[i] / heavy}))
      .sort((a, b) => Math.abs(b.pull) - Math.abs(a.pull));
    const shown = parts.slice(0, parts.length > MOST ? MOST - 1 : MOST), rest = parts.slice(shown.length);
    const steps = [...shown.map(part => ({name: DATA.classes[part.i], ...part}))];
    if (rest.length) steps.push({name: `${rest.length} other classes`, pull: total(rest.map(part => part.pull)), value: NaN, share: weight && total(rest.map(part => part.share))});
    says.replaceChildren("Pooled over all entries (micro), ", measureName(measure, nameUnder(measure)), " is ", number(micro), "; the plain mean over classes (macro) is ", number(macro),
      `. The difference of ${signed(macro - micro)} is the sum of what each class adds: how far its own value lies from micro, divided by ${used.length}. `,
      replaced.length ? `Undefined and counted as ${otherwise}: ${names(replaced)}. ` : "", left.length ? `Left out of macro: ${names(left)}. ` : "",
      weight ? "Micro is a mean of the same values, weighted by the shares in the last column: classes with a large share pull it to their value."
        : `Micro ${pretty(nameUnder(measure))} is not a mean of the values of the classes.`);
    waterfall(steps, micro, macro);
  };
  const waterfall = (steps, micro, macro) => {
    // On a narrow page each name stands above its bar, with the value and the share at its right.
    const width = fitted(chart, 1100), narrow = width < 560, rowHeight = narrow ? 44 : 26, barTop = narrow ? 22 : 4;
    const names = narrow ? 4 : Math.min(280, width / 4), right = narrow ? 4 : 250, plot = width - names - right, height = (steps.length + 2) * rowHeight + 6, valueAt = width - (narrow ? 70 : 120);
    let running = micro;
    const stops = [micro, ...steps.map(step => running += step.pull), macro], low = Math.min(...stops), high = Math.max(...stops), pad = (high - low || 0.01) * 0.08;
    const x = v => names + (v - low + pad) / (high - low + 2 * pad) * plot, parts = [];
    const row = (k, name, strong) => parts.push(svg("text", {x: narrow ? names : names - 10, "data-name": name, y: k * rowHeight + (narrow ? 16 : 18), "text-anchor": narrow ? "start" : "end", class: strong ? "strong" : null, direction: "ltr"}, shortened(name, Math.floor((narrow ? valueAt - 70 : names - 10) / 7.4))));
    // A text next to a bar: at its right, at its left where the chart ends, or in it where it fills the chart.
    const writeNextTo = (k, left, end, text, how) => {
      const room = 8 * text.length + 7, after = end + room <= (narrow ? width : names + plot + 60), before = left - room >= (narrow ? 0 : names - 10);
      parts.push(svg("text", {...how, x: after ? end + 7 : before ? left - 7 : end - 7, y: k * rowHeight + barTop + 14, "text-anchor": after ? "start" : "end"}, text));
    };
    const mark = (k, v, name) => {
      row(k, name, true);
      parts.push(svg("path", {class: "now", d: `M${x(v)} ${k * rowHeight + barTop}v18`}));
      writeNextTo(k, x(v), x(v), digits(v), {class: "strong"});
    };
    parts.push(svg("text", {x: valueAt, y: narrow ? 16 : 18, "text-anchor": "end", class: "quiet-text"}, "value"), svg("text", {x: width - 4, y: narrow ? 16 : 18, "text-anchor": "end", class: "quiet-text"},
      steps.some(step => step.share !== null) ? (narrow ? "share" : "share in micro") : ""));
    mark(0, micro, "micro");
    let from = micro;
    steps.forEach((step, k) => {
      const to = from + step.pull, y = (k + 1) * rowHeight, textAt = y + (narrow ? 16 : 18);
      row(k + 1, step.name, false);
      parts.push(svg("path", {class: "thread", d: `M${x(from)} ${y - rowHeight + barTop + 18}V${y + barTop}`}),
        svg("rect", {class: step.pull < 0 ? "down" : "up", x: Math.min(x(from), x(to)), y: y + barTop, width: Math.max(1, Math.abs(x(to) - x(from))), height: 18, rx: 2}));
      writeNextTo(k + 1, Math.min(x(from), x(to)), Math.max(x(from), x(to)), signed(step.pull));
      parts.push(svg("text", {x: valueAt, y: textAt, "text-anchor": "end"}, Number.isNaN(step.value) ? "" : step.undefined ? `undefined: ${step.value}` : digits(step.value)));
      if (step.share !== null) parts.push(svg("text", {x: width - 4, y: textAt, "text-anchor": "end"}, percent(step.share)));
      from = to;
    });
    parts.push(svg("path", {class: "thread", d: `M${x(from)} ${steps.length * rowHeight + barTop + 18}v8`}));
    mark(steps.length + 1, macro, "macro");
    const told = `From micro ${digits(micro)} to macro ${digits(macro)}: ${steps.map(step => `${step.name} ${signed(step.pull)}`).join(", ")}`;
    chart.replaceChildren(svg("svg", {class: "waterfall", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": told}, parts));
  };
  root.append(el("div", {class: "controls"}, select("Measure", content.measures.map(name => [name, pretty(nameUnder(name))]), measure, value => { measure = value; draw(); })), says, chart);
  draw();
  redrawFitted(chart, draw);
  return draw;
});

section("priors", (root, content) => {
  const units = DATA.units.class, actual = actualOf(units), together = content.together;
  const whole = i => together ? total(actual) : cellsOf(units, i).reduce((a, b) => a + b, 0), shareOf = i => actual[i] / whole(i);
  const measures = DATA.shown.filter(measure => measure in FORMULAS);
  let k = content.first, share = shareOf(k), measure = measures.includes("precision") ? "precision" : measures[0];
  const possible = movedUnits(k, share, together), averages = DATA.averages.filter(average => average.units in possible).map(average => average.name);
  const slider = el("input", {type: "range", id: "prior", min: -6, max: 6, step: 0.01, oninput: event => { share = 1 / (1 + Math.exp(-event.target.value)); move(); }});
  const exact = el("input", {type: "number", id: "prior-share", min: 0.01, max: 99.99, step: "any", "aria-label": "Share of the class in percent", onchange: event => {
    const wanted = +event.target.value / 100;
    if (wanted > 0 && wanted < 1) { share = wanted; move(); }
  }});
  const logit = p => Math.log(p / (1 - p)), table = el("table", {class: "grid drift"}), chart = el("div", {class: "fill"}), says = el("p", {"aria-live": "polite"});
  const STILL = 1e-9, points = Array.from({length: 61}, (_, i) => 1 / (1 + Math.exp(6 - i * 0.2)));
  // What no share changes: the scores in these data, and one line for each average, the measure against the share of the class.
  let was, curves;
  const draw = () => {
    const before = movedUnits(k, shareOf(k), together), moved = points.map(p => movedUnits(k, p, together));
    was = new Map(measures.map(name => [name, averages.map(average => score(name, average, {units: before}))]));
    curves = averages.map(average => ({average, ys: moved.map(own => { const found = score(measure, average, {units: own}); return found ? found.value : NaN; })})).filter(curve => curve.ys.some(Number.isFinite));
    move();
  };
  const move = () => {
    slider.value = logit(share);
    slider.setAttribute("aria-valuetext", percent(share));
    exact.value = +(100 * share).toFixed(4);
    const after = movedUnits(k, share, together);
    const here = Math.abs(share - shareOf(k)) < 1e-12;
    let still = 0, drifting = 0;
    const body = measures.map(name => el("tr", {}, el("th", {scope: "row"}, measureName(name, nameUnder(name, averages))), averages.map((average, a) => {
      const now = score(name, average, {units: after});
      if (!now) return el("td", {class: "empty"}, el("span", {class: "hidden"}, "does not exist"));
      const change = now.value - was.get(name)[a].value, moves = Math.abs(change) > STILL;
      if (Number.isFinite(change)) moves ? drifting++ : still++;
      return el("td", {class: moves ? "drifts" : "still", "data-key": `${name} ${average}`, style: moves ? `--part:${Math.min(100, 15 + 170 * Math.abs(change)).toFixed(0)}%` : null},
        number(now.value), el("span", {class: "change"}, moves ? signed(change) : Number.isFinite(change) && !here ? "still" : ""));
    })));
    table.replaceChildren(el("thead", {}, el("tr", {}, el("td", {}), averages.map(average => el("th", {scope: "col", title: AVERAGES[average].meaning}, averageName(average))))), el("tbody", {}, body));
    says.replaceChildren(...[label(DATA.classes[k]), ` has ${percent(shareOf(k))} of ${together ? "the examples" : "its entries"} in these data`,
      here ? [".", el("span", {class: "on-screen"}, " Move the slider to change that.")] : `; at ${percent(share)}, with the same error rates, ${still} of ${still + drifting} scores stand still and ${drifting} drift.`].flat());
    lines();
  };
  const lines = () => {
    const width = fitted(chart, 600), height = 260, right = width < 480 ? 88 : 110, plot = width - right - 40;
    const all = curves.flatMap(curve => curve.ys).filter(Number.isFinite);
    if (!all.length) { chart.replaceChildren(); return; }
    let [low, high] = [Math.min(...all), Math.max(...all)];
    if (high - low < 0.1) [low, high] = [low - 0.05, high + 0.05];
    const x = p => 40 + (logit(p) + 6) / 12 * plot, y = v => 14 + (high - v) / (high - low) * (height - 44), parts = [];
    for (const tick of [0.01, 0.1, 0.5, 0.9, 0.99]) parts.push(svg("path", {class: "rule", d: `M${x(tick)} 10V${height - 28}`}), svg("text", {x: x(tick), y: height - 12, "text-anchor": "middle", class: "quiet-text"}, `${100 * tick}%`));
    for (const v of [low, high]) parts.push(svg("text", {x: 34, y: y(v) + 4, "text-anchor": "end", class: "quiet-text"}, v.toFixed(2)));
    const ends = curves.map((curve, c) => ({c, v: curve.ys.findLast(Number.isFinite)})).sort((a, b) => b.v - a.v);
    let lowest = 0;
    for (const end of ends) { end.y = Math.max(y(end.v) + 4, lowest + 15); lowest = end.y; }
    let highest = height - 16;
    for (const end of [...ends].reverse()) { end.y = Math.min(end.y, highest); highest = end.y - 15; }
    curves.forEach((curve, c) => {
      const d = curve.ys.map((v, i) => Number.isFinite(v) ? `${i && Number.isFinite(curve.ys[i - 1]) ? "L" : "M"}${x(points[i]).toFixed(1)} ${y(v).toFixed(1)}` : "").join("");
      parts.push(svg("path", {class: `curve curve-${c % 6}`, d}), svg("text", {x: 40 + plot + 8, y: ends.find(end => end.c === c).y, class: `curve-name curve-${c % 6}`}, curve.average));
    });
    parts.push(svg("path", {class: "now", d: `M${x(share)} 10V${height - 28}`}), svg("path", {class: "origin", d: `M${x(shareOf(k))} 10V${height - 28}`}));
    chart.replaceChildren(svg("svg", {class: "lines", viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
      "aria-label": `${pretty(measure)} against the share of ${DATA.classes[k]}: ${curves.map(curve => `${curve.average} from ${digits(Math.min(...curve.ys.filter(Number.isFinite)))} to ${digits(Math.max(...curve.ys.filter(Number.isFinite)))}`).join(", ")}`}, parts));
  };
  root.append(el("div", {class: "controls"},
    select("Class", content.movable.map(i => [String(i), shortened(DATA.classes[i], 60)]), String(k), value => { k = +value; share = shareOf(k); draw(); }),
    el("span", {class: "choice slide"}, el("label", {for: "prior"}, "Share"), slider, exact, "%"),
    el("button", {type: "button", class: "plain", onclick: () => { share = shareOf(k); move(); }}, "As in the data"),
    select("Lines", measures.map(name => [name, pretty(nameUnder(name))]), measure, value => { measure = value; draw(); })));
  root.append(says, el("div", {class: "two"}, chart, el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Scores at this share"}, table)));
  draw();
  redrawFitted(chart, lines);
  return draw;
});
