section("measure_grid", (root, content) => {
  const rows = [...DATA.shown], columns = DATA.averages.map(average => average.name);
  const table = el("table", {class: "grid"});
  // The value of a classifier that is wrong on every example: what is left of the range above it.
  const floor = (measure, average) => {
    const m = content.onehot, at = AVERAGES[average].floor;
    if (!m) return NaN;
    if (at && measure in FORMULAS && has(measure, average)) {
      const n = at === "pooled" ? DATA.n : 1;
      return apply(FORMULAS[measure], [0, n, n, n * (m - 2)]);
    }
    return content.floors[measure]?.[average] ?? NaN;
  };
  const key = el("span", {class: "quiet", hidden: true}, el("span", {class: "floor-key"}), " the floor: what a classifier that is always wrong has. No mark: it is the worst value there is, or it is not known.");
  const lostKey = el("span", {class: "quiet", hidden: true});
  const worst = measure => { const {range, better} = DATA.measures[measure]; return hasDirection(better) ? range[better === "lower" ? 1 : 0] : NaN; };
  const place = el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Measures by averages"}, table);
  const columnsOf = measure => hasOneVersion(measure) ? columns.filter(average => has(measure, average)) : columns;  // a value of whole examples is under no average
  const barWidth = () => Math.max(84, Math.min(220, ((place.clientWidth || 900) - 170) / columns.length - 32));  // the table fills its place
  const draw = () => {
    lostKey.hidden = true;
    lostKey.replaceChildren(el("span", {class: "mark"}, "*"), ` some values in it are undefined: ${conventionWords(state.convention)}. – no value is left.`);
    const body = rows.map(measure => el("tr", {}, el("th", {scope: "row"}, measureName(measure, nameUnder(measure, columns.filter(average => has(measure, average))))), columnsOf(measure).map((average, _, all) => {
      const now = score(measure, average), values = all.map(each => score(measure, each)?.value ?? NaN);  // one scale for the row
      if (!now) return el("td", {class: "empty"}, el("span", {class: "hidden"}, "does not exist"));
      const before = score(measure, average, {convention: DATA.convention}), bottom = floor(measure, average);
      const raised = Number.isFinite(bottom) && typeof worst(measure) === "number" && Math.abs(bottom - worst(measure)) > 1e-9 ? bottom : NaN;
      if (Number.isFinite(raised)) key.hidden = false;
      if (now.lost.length || Number.isNaN(now.value)) lostKey.hidden = false;
      const moved = !Object.is(now.value, before.value);
      const title = [now.fixed ? "computed by Python; it does not follow a change of convention" : "", now.lost.length ? lostWords(average, now) : "",
        Number.isFinite(raised) ? `a classifier that is always wrong has ${digits(raised)}` : "", moved ? `before ${digits(before.value)}` : ""].filter(Boolean).join("; ");
      return el("td", {class: moved ? "changed" : null, colspan: hasOneVersion(measure) ? columns.length : null, title: title || null, "data-key": `${measure} ${average}`, "data-floor": Number.isFinite(raised) ? raised : null},
        el("span", {class: "pair"}, now.fixed ? fromPython(number(now.value)) : number(now.value), now.lost.length ? el("span", {class: "mark", title}, "*") : null), asZero(measure, average, now),
        bar(measure, now.value, {floor: raised, width: barWidth(), height: 12, values}));
    })));
    table.replaceChildren(el("caption", {class: "hidden"}, "Measures by averages"), el("thead", {}, el("tr", {}, el("td", {}), columns.map(average =>
      el("th", {scope: "col", title: AVERAGES[average].meaning}, averageName(average))))), el("tbody", {}, body));
  };
  const id = "add-measure";
  const answer = el("p", {class: "quiet answer", role: "status"});
  const add = el("input", {type: "text", id, list: "measures", placeholder: "a name, or a formula: tp/(tp+fp)", autocomplete: "off", spellcheck: "false", "aria-describedby": "add-answer", onchange: event => {
    if (event.target.value.trim()) addRow(event.target.value);
  }});
  answer.id = "add-answer";
  const addRow = text => {
    const {measure, says, near = []} = addedMeasure(text);
    answer.replaceChildren(...(measure ? [rows.includes(measure) ? `${pretty(measure)} is in the table.` : `${pretty(measure)} was added to the table.`]
      : [`${says} `, ...near.flatMap((name, i) => [i ? " or " : "Did you mean ", el("button", {type: "button", class: "measure", onclick: () => addRow(name)}, pretty(name))]), near.length ? "?" : ""]));
    if (!measure) return;
    if (!rows.includes(measure)) rows.push(measure);
    add.value = "";
    draw();
  };
  root.append(el("div", {class: "controls"}, el("span", {class: "choice"}, el("label", {for: id}, "Add a measure"), add,
    el("datalist", {id: "measures"}, Object.keys(DATA.measures).map(name => el("option", {value: pretty(name)})))),
    key, lostKey), answer);
  root.append(place);
  root.append(el("details", {}, el("summary", {}, "What the averages are"), el("dl", {}, DATA.averages.flatMap(average => [el("dt", {}, average.name), el("dd", {}, average.meaning)]))));
  draw();
  redrawFitted(place, draw);
  return draw;
});
