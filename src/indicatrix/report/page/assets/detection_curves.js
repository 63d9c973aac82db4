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
