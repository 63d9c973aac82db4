// What is left of all examples without one group: whole units less its own. Sums of weights may leave dust, which is nothing.
const unitsWithout = (all, own) => {
  const less = (x, y) => { const rest = x - y; return Math.abs(rest) <= 1e-12 * Math.abs(x) ? 0 : rest; };
  const cells = ["tp", "fp", "fn", "tn"];
  if (!all.times) return {...all, ...Object.fromEntries(cells.map(cell => [cell, all[cell].map((x, i) => less(x, own[cell][i]))]))};
  const key = (units, i) => cellsOf(units, i).join(" "), taken = new Map(own.tp.map((_, i) => [key(own, i), own.times[i]]));
  const left = all.times.map((times, i) => less(times, taken.get(key(all, i)) || 0)), kept = left.flatMap((times, i) => times ? [i] : []);
  return {...all, ...Object.fromEntries(cells.map(cell => [cell, kept.map(i => all[cell][i])])), times: kept.map(i => left[i])};
};
const withoutGroup = own => Object.fromEntries(Object.keys(own).filter(key => key in DATA.units).map(key => [key, unitsWithout(DATA.units[key], own[key])]));

section("groups", (root, content) => {
  for (const axis of content.axes) for (const units of axis.units) for (const part of Object.values(units)) {
    for (const cell of ["tp", "fp", "fn", "tn"]) part[cell] = known(part[cell]);
  }
  let axis = content.axes[0], {measure, average} = content.main, rows = [], wanted = average;
  const averages = averageMenu("inside each group", content.averages, value => { wanted = value; draw(); });
  const plain = {otherwise: "exclude", absent: null};  // the convention of the intervals
  const says = el("div", {"aria-live": "polite"}), note = el("p", {class: "quiet"});
  const valueOf = found => found ? found.value : NaN;
  const table = sortedTable("Groups", [
    {key: "name", title: "Group", value: i => axis.groups[i]},
    {key: "size", title: "Examples", numeric: true, value: i => axis.sizes[i]},
    {key: "value", title: "", numeric: true, value: i => rows[i].value},
    {key: "chart", title: ""},
    {key: "rest", title: "All others", numeric: true, value: i => rows[i].rest},
    {key: "difference", title: "Difference", numeric: true, value: i => rows[i].value - rows[i].rest},
  ], i => {
    const {value, rest, low, high, lost, at, whole} = rows[i];
    return [el("th", {scope: "row"}, label(axis.groups[i])), el("td", {class: "n"}, count(axis.sizes[i])),
      el("td", {class: "n main", "data-key": "value", title: lost ? `${lost} undefined: ${conventionWords(state.convention)}` : null}, number(value), lost ? el("span", {class: "mark", "aria-hidden": "true"}, "*") : null),
      el("td", {class: "chart"}, dot(at, value, {low, high, mark: whole}), Number.isFinite(low) ? el("span", {class: "hidden"}, `from ${digits(low)} to ${digits(high)}`) : null),
      el("td", {class: "n", "data-key": "rest"}, number(rest)), el("td", {class: "n", "data-key": "difference"}, number(value - rest, signed(value - rest)))];
  }, {by: "name", down: false});
  table.classList.add("group-table");

  // The largest gap, what differs most from all others, and the test.
  const sentences = (sure, shifted) => {
    const defined = rows.flatMap((row, i) => Number.isFinite(row.value) ? [i] : []);
    if (defined.length < 2) return [el("p", {}, "Fewer than two groups have a value, so there is no gap.")];
    const pick = (better, of) => defined.reduce((a, b) => better(of(b), of(a)) ? b : a), name = i => label(axis.groups[i]);
    const high = pick((x, y) => x > y, i => rows[i].value), low = pick((x, y) => x < y, i => rows[i].value), gap = rows[high].value - rows[low].value;
    if (gap === 0) return [el("p", {}, "All groups with a value are equal.")];
    const ends = sure && !shifted && sure.gap && sure.gap[0] !== null ? ` (${levelWords()} interval ${digits(sure.gap[0])} to ${digits(sure.gap[1])})` : "";
    const lines = [el("p", {}, "The largest gap: ", name(high), ` ${digits(rows[high].value)} and `, name(low), ` ${digits(rows[low].value)} are `, el("strong", {}, number(gap)), " apart", ends ? fromPython(ends) : "", ".")];
    const far = defined.filter(i => Number.isFinite(rows[i].rest));
    if (defined.length > 2 && far.length) {
      const most = far.reduce((a, b) => Math.abs(rows[b].value - rows[b].rest) > Math.abs(rows[a].value - rows[a].rest) ? b : a);
      lines.push(el("p", {}, name(most), ` differs most from all others together: ${digits(rows[most].value)} against ${digits(rows[most].rest)}.`));
    }
    if (sure && !shifted && sure.test) {
      lines.push(el("p", {}, sure.p < 0.05 ? "The groups differ: " : "Chance may explain it: ", fromPython(sure.test), ".",
        sure.unusual.length ? [" More than chance explains for its size: ", ...sure.unusual.flatMap((group, i) => [i ? ", " : "", label(group)]), "."] : null));
    }
    return lines;
  };
  const draw = () => {
    average = averageOf(measure, wanted, content.averages);
    averages.show(measure, average);
    const sure = axis.sure[`${measure} ${average}`], whole = valueOf(score(measure, average));
    let shifted = false;
    rows = axis.units.map((units, i) => {
      const found = score(measure, average, {units}), value = valueOf(found), rest = valueOf(score(measure, average, {units: withoutGroup(units)}));
      const same = sure && sure.low && Object.is(value, valueOf(score(measure, average, {units, convention: plain})));
      if (sure && sure.low && !same) shifted = true;
      return {value, rest, lost: found ? found.lost.length : 0, low: same ? sure.low[i] ?? NaN : NaN, high: same ? sure.high[i] ?? NaN : NaN, whole};
    });
    const at = commonScale(measure, rows.flatMap(row => [row.value, row.low, row.high, whole]), 220);
    for (const row of rows) row.at = at;
    table.draw(rows.length, {value: pretty(nameUnder(measure)), chart: el("span", {}, sure && sure.low && !shifted ? fromPython(`${levelWords()} interval`) : "Value", scaleEnds(at))});
    says.replaceChildren(...sentences(sure, shifted));
    const notes = [`The dashed line is the value of all examples, ${digits(whole)}.`];
    if (axis.groups.length < axis.all) notes.push(`These are the ${count(axis.groups.length)} largest of ${count(axis.all)} groups.`);
    if (sure && sure.why) notes.push(sure.why.endsWith(".") ? sure.why : `${sure.why}.`);
    if (shifted) notes.push("The intervals are for undefined values that are left out.");
    if (!sure && axis.groups.length === axis.all) notes.push(`Intervals were computed for ${Object.keys(axis.sure).map(pretty).join(", ")}.`);
    note.textContent = notes.join(" ");
  };
  const choices = el("div", {class: "controls"},
    content.axes.length > 1 ? select("Groups of", content.axes.map((one, i) => [String(i), one.name]), "0", value => { axis = content.axes[+value]; draw(); }) : null,
    select("Measure", allMeasures().map(name => [name, pretty(nameUnder(name))]), measure, value => { measure = value; draw(); }),
    content.averages.length > 1 ? averages : null);
  root.append(choices, says, table, note);
  draw();
  return draw;
});

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
