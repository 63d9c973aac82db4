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

section("conventions", (root, content) => {
  const named = content.choices.map((choice, i) => [String(i), choice]);
  const pick = value => setConvention({otherwise: named[+value][1].otherwise, absent: named[+value][1].absent});
  const index = () => String(Math.max(0, content.choices.findIndex(choice => sameConvention(choice, state.convention))));
  const plain = otherwise => otherwise === "exclude" ? "left out" : otherwise === "nan" ? "kept" : `count as ${otherwise}`;
  const short = ({otherwise, absent}) => absent ? `${absentWords(absent)} left out, else ${plain(otherwise)}` : plain(otherwise);
  const options = named.map(([value, choice]) => [value, short(choice)]);
  const everywhere = select("Undefined", options, index(), value => pick(value));
  everywhere.querySelector("select").id = "convention";
  everywhere.querySelector("label").setAttribute("for", "convention");
  document.getElementById("switches").prepend(everywhere);
  const table = el("table", {class: "grid"}), says = el("p", {"aria-live": "polite"});
  const draw = () => {
    document.getElementById("convention").value = index();
    const lost = DATA.shown.flatMap(measure => DATA.averages.map(average => [measure, average.name])).flatMap(([measure, average]) => {
      const found = score(measure, average, {convention: {otherwise: "nan", absent: null}});
      return found && !found.fixed && found.lost.length ? [[measure, average, found]] : [];
    });
    if (!lost.length) {
      says.textContent = "Every value is defined here: all conventions give the same scores.";
      table.replaceChildren();
      return;
    }
    const changed = lost.filter(([measure, average]) => !Object.is(score(measure, average).value, score(measure, average, {convention: DATA.convention}).value)).length;
    says.replaceChildren("Undefined values are now ", el("strong", {}, conventionWords(state.convention)), `. ${lost.length} scores have undefined units; `,
      changed ? `${changed} of them changed against the convention this page was made with. They are marked everywhere.` : "this is the convention the page was made with, or it gives the same values.");
    const wide = lost.slice(0, 40);
    table.replaceChildren(el("thead", {}, el("tr", {}, el("th", {scope: "col"}, "Score"), el("th", {scope: "col"}, "Undefined for"), options.map(([value, text]) =>
      el("th", {scope: "col", class: value === index() ? "n chosen" : "n"}, text)))),
      el("tbody", {}, wide.map(([measure, average, found]) => {
        const own = score(measure, average, {convention: DATA.convention}).value;
        return el("tr", {}, el("th", {scope: "row"}, scoreTitle(measure, average)), el("td", {class: "quiet"}, lostUnits(average, found)), named.map(([value, choice]) => {
          const now = score(measure, average, {convention: choice}).value;
          return el("td", {class: `n${Object.is(now, own) ? "" : " changed"}${value === index() ? " chosen" : ""}`, "data-key": `${measure} ${average} ${value}`}, number(now));
        }));
      })));
  };
  root.append(says, el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Scores under each convention"}, table));
  draw();
  return draw;
});
