// Imperfect truth: every score by the labels that were seen, by gold labels alone, and corrected, and how far the correction moved it.
section("corrections", (root, content) => {
  const last = content.ways.length - 1, at = (way, key, i) => content.columns[way][key][i] ?? NaN;
  const cells = i => content.ways.map((way, k) => el("td", {class: k === last ? "n main" : "n", "data-key": way},
    number(at(way, "value", i)), el("br", {}), el("span", {class: "quiet"}, `${digits(at(way, "low", i))}\u00a0to\u00a0${digits(at(way, "high", i))}`)));
  const moved = i => at(content.ways[last], "value", i) - at(content.ways[0], "value", i);
  const rows = content.names.map((name, i) => el("tr", {}, el("th", {scope: "row"}, pretty(name)), ...cells(i),
    el("td", {class: "n", "data-key": "moved"}, number(moved(i), `${moved(i) < 0 ? "−" : "+"}${digits(Math.abs(moved(i)))}`)),
    el("td", {class: "quiet", "data-key": "says"}, content.says[i])));
  const heads = ["Score", ...content.ways.map(way => way[0].toUpperCase() + way.slice(1)), "Moved", "What the gold labels say"];
  const head = heads.map((text, i) => el("th", i && i < heads.length - 1 ? {scope: "col", class: "n"} : {scope: "col"}, text));
  root.append(el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Scores before and after the correction"},
    el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows))));
});
