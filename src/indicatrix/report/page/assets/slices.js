// Weak slices: each with its value, its interval and the value of all others.
section("slices", (root, content) => {
  const at = (key, i) => content[key][i] ?? NaN;
  const rows = content.names.map((name, i) => el("tr", {}, el("th", {scope: "row"}, label(name)),
    el("td", {class: "n", "data-key": "examples"}, number(at("examples", i), count(at("examples", i)))),
    ...["value", "low", "high", "rest"].map(key => el("td", {class: key === "value" ? "n main" : "n", "data-key": key}, number(at(key, i)))),
    el("td", {class: "n", "data-key": "p_value"}, number(at("p_value", i), at("p_value", i) < 0.0001 ? "< 0.0001" : `${+at("p_value", i).toPrecision(2)}`))));
  const heads = [["Slice", "col"], ["examples"], [pretty(content.score)], ["from"], ["to"], ["all others"], ["p"]];
  const table = el("table", {}, el("thead", {}, el("tr", {}, heads.map(([text], i) => el("th", i ? {scope: "col", class: "n"} : {scope: "col"}, text)))), el("tbody", {}, rows));
  root.append(el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Weakest slices"}, table));
  root.append(...[`All examples: ${digits(content.whole ?? NaN)}.`, ...content.says].map(text => el("p", {class: "quiet"}, text)));
});
