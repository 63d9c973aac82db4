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
