// The numbers of the summary, the first with its interval.
section("detection_numbers", (root, content) => {
  const [low, high] = content.interval.map(end => end ?? NaN);
  const rows = content.rows.map(({name, says, value}, i) => el("tr", {},
    el("th", {scope: "row"}, name), el("td", {}, says), el("td", {class: "n main", "data-key": name}, number(value ?? NaN)),
    el("td", {class: "chart"}, bar("recall", value ?? NaN, i ? {} : {low, high}),
      !i && Number.isFinite(low) ? el("span", {class: "hidden"}, `from ${digits(low)} to ${digits(high)}`) : null)));
  const table = el("table", {}, el("thead", {}, el("tr", {}, ["Number", "What it is"].map(text => el("th", {scope: "col"}, text)), el("th", {scope: "col", class: "n"}, fromPython("Value")),
    el("th", {scope: "col"}, Number.isFinite(low) ? fromPython(`${levelWords()} interval`) : ""))), el("tbody", {}, rows));
  root.append(el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Numbers"}, table));
  const notes = [Number.isFinite(low) ? `The ${levelWords()} interval of AP goes from ${digits(low)} to ${digits(high)}, for other samples of images.` : "", content.warning];
  root.append(...notes.filter(Boolean).map(text => el("p", {class: "quiet"}, text)));
});

// Precision and recall at several overlaps: all classes together, or one of them.
section("detection_curves", (root, content) => {
  const fifths = [0, 0.25, 0.5, 0.75, 1], scales = plotScales([0, 1], [0, 1]), place = el("div", {class: "plots"});
  const draw = chosen => {
    const {name, lines} = content.curves[chosen];
    const area = line => line.area === null ? "undefined" : digits(line.area), says = lines.map(line => `overlap ${line.iou}: AP ${area(line)}`).join(", ");
    const drawn = lines.map((line, i) => svg("path", {class: `curve curve-${i}`, "data-iou": line.iou, d: path(stepsFromZero(known(line.x), known(line.y)), scales)}));
    const picture = svg("svg", {viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: "img", "aria-label": `Precision and recall of ${name ?? "all classes"}; ${says}`}, [...plotAxes(scales, fifths, fifths, ["Recall", "Precision"]), ...drawn]);
    const legend = el("ul", {class: "legend"}, lines.map((line, i) => el("li", {}, svg("svg", {width: 30, height: 10, "aria-hidden": "true"}, svg("path", {class: `curve curve-${i}`, d: "M1 5H29"})),
      ` overlap ${line.iou}: average precision `, fromPython(number(line.area ?? NaN)))));
    place.replaceChildren(el("figure", {}, picture), legend);
  };
  if (content.curves.length > 1) {
    root.append(el("div", {class: "controls"}, select("Class", content.curves.map(({name}, i) => [String(i), name ?? "all classes together"]), "0", value => draw(+value))));
  }
  root.append(place);
  draw(0);
});

// Every class: its objects, average precision and recall.
section("detection_classes", (root, content) => {
  const keys = Object.keys(content.columns), value = (key, i) => content.columns[key][i] ?? NaN;
  const columns = [{key: "class", title: "Class", value: i => content.names[i]}, ...keys.map(key => ({key, title: key === "objects" ? key : fromPython(key), numeric: true, value: i => value(key, i)})), {key: "chart", title: ""}];
  const table = sortedTable("Classes", columns, i => [el("th", {scope: "row"}, label(content.names[i])),
    ...keys.map(key => el("td", {class: key === "AP" ? "n main" : "n", "data-key": key}, key === "objects" ? number(value(key, i), count(value(key, i))) : number(value(key, i)))),
    el("td", {class: "chart"}, bar("recall", value("AP", i)))], {by: "objects"});
  table.draw(content.names.length);
  root.append(table);
});

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

// The images with the most errors.
section("detection_pictures", (root, content) => {
  root.append(el("div", {class: "pictures"}, content.pictures.map(({says, png}) => el("figure", {}, el("img", {src: `data:image/png;base64,${png}`, alt: says}), el("figcaption", {}, says)))));
});
