section("class_table", (root, content) => {
  const units = DATA.units.class, m = DATA.classes.length, actual = actualOf(units), predicted = predictedOf(units);
  const FIRST = 25;
  let main = content.main, by = "actual", down = true, text = "", all = m <= FIRST;
  const values = {};
  const valueOf = measure => values[measure] ||= valuesOf(FORMULAS[measure], units);
  const measures = content.measures;
  const others = () => ["precision", "recall", "f1", "mcc"].filter(measure => measures.includes(measure) && measure !== main).slice(0, 3);
  const confusions = i => MATRIX ? MATRIX[i].filter(([j]) => j !== i).sort((a, b) => b[1] - a[1]).slice(0, 2) : [];
  const table = el("table", {class: "classes"}), remark = el("p", {class: "quiet", "aria-live": "polite"}), note = el("p", {class: "quiet"});
  const more = el("button", {type: "button", class: "plain", onclick: () => { all = true; draw(); }}, `Show all ${count(m)} classes`);

  const key = (column, i) => column === "class" ? DATA.classes[i] : column === "actual" ? actual[i] : column === "predicted" ? predicted[i] : valueOf(column)[i];
  const compare = (a, b) => {
    const [x, y] = [key(by, a), key(by, b)];
    if (by === "class") return (down ? -1 : 1) * x.localeCompare(y, "en", {numeric: true}) || a - b;
    if (!Number.isFinite(x) || !Number.isFinite(y)) return Number.isFinite(y) - Number.isFinite(x) || a - b;  // undefined ones last
    return (down ? y - x : x - y) || a - b;
  };
  const head = (column, title, numeric = true) => el("th", {scope: "col", class: numeric ? "n" : null,
    "aria-sort": by === column ? (down ? "descending" : "ascending") : "none"},
    el("button", {type: "button", onclick: () => { down = by === column ? !down : column !== "class"; by = column; draw(column); }}, title));
  const draw = refocus => {
    const wanted = text.toLowerCase(), found = DATA.classes.map((_, i) => i).filter(i => DATA.classes[i].toLowerCase().includes(wanted)).sort(compare);
    const shown = all ? found : found.slice(0, FIRST), ends = content.intervals[main];
    const rows = shown.map(i => {
      const [low, high] = ends ? [ends[0][i] ?? NaN, ends[1][i] ?? NaN] : [NaN, NaN], value = valueOf(main)[i];
      return el("tr", {}, el("th", {scope: "row"}, label(DATA.classes[i]), i === DATA.positive ? el("span", {class: "quiet"}, " positive") : null), el("td", {class: "n"}, number(actual[i], count(actual[i]))),
        el("td", {class: "n"}, number(predicted[i], count(predicted[i]))), el("td", {class: "n main"}, number(value)),
        el("td", {class: "chart"}, bar(main, value, {low, high, width: 150, values: valueOf(main)}),
          Number.isFinite(low) ? el("span", {class: "hidden"}, `from ${digits(low)} to ${digits(high)}`) : null),
        others().map(measure => el("td", {class: "n"}, number(valueOf(measure)[i]))),
        MATRIX ? el("td", {class: "confused"}, confusions(i).flatMap(([j, x], k) => [k ? ", " : "", label(DATA.classes[j]), ` ${count(x)}`])) : null);
    });
    table.replaceChildren(el("thead", {}, el("tr", {}, head("class", "Class", false), head("actual", "Actual"), head("predicted", "Predicted"), head(main, pretty(nameUnder(main, ["macro"]))),
      el("th", {scope: "col"}, ends ? fromPython(`${levelWords()} interval`) : ""), others().map(measure => head(measure, pretty(nameUnder(measure, ["macro"])))),
      MATRIX ? el("th", {scope: "col"}, "Most often taken for") : null)), el("tbody", {}, rows));
    remark.textContent = shown.length < m ? `${count(shown.length)} of ${count(m)} classes are shown.` : "";
    more.hidden = shown.length === found.length;
    note.textContent = content.why ? `There are no intervals: ${content.why}` : !ends ? `With so many classes, only ${Object.keys(content.intervals).map(pretty).join(", ")} has intervals here.`
      : content.largest < m ? `The ${count(content.largest)} largest classes have intervals.` : "";
    if (typeof refocus === "string") for (const th of table.querySelectorAll("th[aria-sort]:not([aria-sort='none']) button")) th.focus();
  };
  const filter = el("input", {type: "search", id: "class-filter", placeholder: "name of a class", oninput: event => { text = event.target.value; draw(); }});
  root.append(el("div", {class: "controls"}, select("Bars", measures.map(measure => [measure, pretty(nameUnder(measure, ["macro"]))]), main, value => { main = value; draw(); }),
    m > 8 ? el("span", {class: "choice"}, el("label", {for: "class-filter"}, "Filter"), filter) : null));
  root.append(el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of classes"}, table), remark, more, note);
  draw();
});
