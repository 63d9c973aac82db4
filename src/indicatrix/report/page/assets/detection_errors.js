// What each kind of error costs, and which classes are confused.
section("detection_errors", (root, content) => {
  const {kinds, counts, costs, confusions} = content, most = Math.max(1e-9, ...costs.map(cost => Math.abs(cost ?? 0))), width = 160;
  const strip = cost => svg("svg", {class: "bar-chart", width, height: 14, viewBox: `0 0 ${width} 14`, "aria-hidden": "true"}, [svg("rect", {class: "track", x: 0, y: 4, width, height: 6, rx: 3}),
    svg("rect", {class: "value", x: 0, y: 4, width: Math.max(0, cost ?? 0) / most * width, height: 6, rx: 3})]);
  const rows = kinds.map((kind, i) => el("tr", {}, el("th", {scope: "row"}, kind), el("td", {class: "n", "data-key": "count"}, number(counts[i], count(counts[i]))),
    el("td", {class: "n main", "data-key": "cost"}, number(costs[i] ?? NaN, signed(costs[i] ?? NaN))), el("td", {class: "chart"}, strip(costs[i]))));
  const head = texts => el("thead", {}, el("tr", {}, texts.map(([text, numeric]) => el("th", {scope: "col", class: numeric ? "n" : null}, text))));
  const wrap = (name, table) => el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": name}, table);
  root.append(wrap("Errors", el("table", {}, head([["Error", false], [fromPython("How many"), true], [fromPython("Costs in AP"), true], ["", false]]), el("tbody", {}, rows))));
  root.append(el("p", {class: "quiet"}, `At an overlap of ${content.iou}. The cost is what average precision would gain if only these errors were repaired.`));
  if (confusions.length) {
    const name = text => text === null ? el("em", {}, "background") : label(text);
    root.append(el("h3", {}, "Most often confused"), wrap("Confusions", el("table", {}, head([["True", false], ["Predicted", false], ["How often", true]]), el("tbody", {},
      confusions.map(([one, other, often]) => el("tr", {}, el("th", {scope: "row"}, name(one)), el("td", {}, name(other)), el("td", {class: "n"}, number(often, count(often)))))))));
    root.append(el("p", {class: "quiet"}, `Of predictions with a score of ${digits(content.score ?? NaN)} or more. A true class that is predicted as background was missed; background that is predicted as a class is a false prediction.`));
  }
});
