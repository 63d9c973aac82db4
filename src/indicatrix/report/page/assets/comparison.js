// Scores of several classifiers: an array with one score for each, or null where the measure does not have the average.
const CLASSIFIERS = DATA.sections.comparison;
for (const units of CLASSIFIERS.units) for (const part of Object.values(units)) for (const cell of ["tp", "fp", "fn", "tn"]) part[cell] = known(part[cell]);
const scoresOfAll = (measure, average) => average === null || !CLASSIFIERS.units.length ? [] : CLASSIFIERS.units.map(units => score(measure, average, {units}));

// Places of values, the worst 0; values that only rounding tells apart share one, and an undefined value has none.
const placesOf = (values, better) => {
  const sign = better === "lower" ? -1 : 1, places = values.map(() => NaN);
  const order = values.map((_, i) => i).filter(i => Number.isFinite(values[i])).sort((a, b) => sign * (values[a] - values[b]));
  let place = -1, before = NaN;
  for (const i of order) {
    const v = values[i];
    if (!(Math.abs(v - before) <= Math.max(1e-12 * Math.max(Math.abs(v), Math.abs(before)), 1e-15))) place += 1;
    places[i] = place;
    before = v;
  }
  return places;
};
// Ranks, 1 for the best; equal values share the mean of their ranks, and a value without a rival has none.
const ranksOf = (values, better) => {
  const places = placesOf(values, better), rivals = places.filter(place => !Number.isNaN(place)).length;
  return places.map(own => Number.isNaN(own) || !hasDirection(better) || rivals < 2 ? NaN : places.filter(p => p > own).length + (places.filter(p => p === own).length + 1) / 2);
};
// Means over different units cannot be ranked: what is undefined for one and left out of its mean counts for another.
const mixesUnits = (found, average) => {
  if (state.convention.otherwise !== "exclude" || state.convention.absent) return false;
  const leftOut = found.flatMap((one, i) => {
    if (!one || !Number.isFinite(one.value)) return [];
    const {times} = CLASSIFIERS.units[i][AVERAGES[average].units] || {};
    return [times ? String(total(one.lost.map(unit => times[unit]))) : one.lost.join(" ")];
  });
  return new Set(leftOut).size > 1;
};
// The classifiers from the best to the worst: by the mean of their ranks by several scores, those without a rank last.
const byMeanRank = rows => {
  const means = CLASSIFIERS.names.map((_, i) => { const own = rows.map(ranks => ranks[i]).filter(Number.isFinite); return own.length ? total(own) / own.length : Infinity; });
  return means.map((_, i) => i).sort((a, b) => means[a] === means[b] ? a - b : means[a] - means[b]);
};
// The name of a classifier in lines: whole, or so cut that it differs from the others.
const classifier = i => el("bdi", {class: "label whole", title: CLASSIFIERS.called[i] === CLASSIFIERS.names[i] ? null : CLASSIFIERS.names[i]}, CLASSIFIERS.called[i]);
const P_NAME = CLASSIFIERS.adjusted ? "adjusted p" : "p", pText = p => p < 0.0001 ? "< 0.0001" : `= ${+p.toPrecision(2)}`;
const classifierHeads = order => el("thead", {}, el("tr", {}, el("td", {}), order.map(i => el("th", {scope: "col"}, classifier(i)))));
const rankText = rank => Number.isNaN(rank) ? "–" : String(+rank.toFixed(1));

section("comparison", (root, content) => {
  const {names, rows} = content;
  const averageNames = DATA.averages.map(one => one.name);
  // The average that was chosen last, which a measure of whole examples leaves as it is.
  let {measure, average} = content.main, shown = [], wanted = (rows.find(one => one.measure && !hasOneVersion(one.measure)) ?? content.main).average;
  const averages = averageMenu("Average", averageNames, value => { wanted = value; draw(); });
  const says = el("div", {"aria-live": "polite"}), note = el("p", {class: "quiet"});
  const table = sortedTable("Classifiers", [
    {key: "name", title: "Classifier", value: i => names[i]}, {key: "value", title: "", numeric: true, value: i => shown[i].value}, {key: "chart", title: ""},
    {key: "rank", title: "Rank", numeric: true, value: i => shown[i].rank}, {key: "behind", title: "To the first", numeric: true, value: i => shown[i].behind}], i => {
    const {value, low, high, rank, behind, lost, ends} = shown[i];
    return [el("th", {scope: "row"}, classifier(i)), el("td", {class: "n main", "data-key": "value"}, number(value), lost ? el("span", {class: "mark", title: `${lost} undefined: ${conventionWords(state.convention)}`}, "*") : null, shown[i].zero),
      el("td", {class: "chart"}, dot(shown.at, value, {low, high, best: shown[i].best}), Number.isFinite(low) ? el("span", {class: "hidden"}, `from ${digits(low)} to ${digits(high)}`) : null),
      el("td", {class: "n", "data-key": "rank"}, number(rank, rankText(rank))), el("td", {class: "n", "data-key": "behind"}, number(behind, behind === 0 ? "first" : signed(behind)), ends ? el("span", {class: "change"}, fromPython(ends)) : null)];
  }, {by: "value", down: () => DATA.measures[measure].better !== "lower"});  // the best first
  table.classList.add("group-table");
  const startsSame = () => sameConvention(state.convention, DATA.convention);
  const draw = () => {
    average = averageOf(measure, wanted, averageNames);
    averages.show(measure, average);
    const row = rows.find(one => one.measure === measure && one.average === average), found = scoresOfAll(measure, average), {better} = DATA.measures[measure];
    const values = found.map(one => one ? one.value : NaN), mixed = mixesUnits(found, average), ranks = mixed ? values.map(() => NaN) : ranksOf(values, better);
    const sure = row && row.low.length && startsSame(), first = ranks.indexOf(Math.min(...ranks.filter(rank => !Number.isNaN(rank))));
    const tested = (a, b) => row && startsSame() ? content.differences.find(d => d.row === row.name && ((d.first === a && d.second === b) || (d.first === b && d.second === a))) : undefined;
    shown = names.map((_, i) => {
      const behind = first < 0 ? NaN : values[i] - values[first], test = i === first ? undefined : tested(i, first);
      const turn = test && test.first !== i, interval = test && test.low !== null ? (turn ? [-test.high, -test.low] : [test.low, test.high]) : null;
      return {value: values[i] ?? NaN, rank: ranks[i] ?? NaN, behind, lost: found[i] ? found[i].lost.length : 0, zero: asZero(measure, average, found[i], CLASSIFIERS.units[i]), best: Boolean(row && startsSame() && row.best[i]), low: sure ? row.low[i] ?? NaN : NaN, high: sure ? row.high[i] ?? NaN : NaN,
        ends: interval ? `${signed(interval[0])} to ${signed(interval[1])}${test.p !== null ? `, p ${pText(test.p)}` : ""}` : ""};
    });
    shown.at = commonScale(measure, shown.flatMap(one => [one.value, one.low, one.high]), 220);
    table.draw(names.length, {value: pretty(nameUnder(measure, [average])), chart: el("span", {}, sure ? fromPython(`${levelWords()} interval`) : "Value", scaleEnds(shown.at)), behind: shown.some(one => one.ends) ? `To the first (${P_NAME})` : "To the first"});
    const alone = values.findIndex(Number.isFinite), ties = ranks.filter(rank => rank === ranks[first]).length;
    says.replaceChildren(el("p", {}, ...(mixed ? [`The means are over different ${AVERAGES[average].units === "class" ? "classes" : "units"}, because others were undefined in each: they cannot be ranked. Choose another convention.`]
      : first < 0 ? better === "neither" ? [`Neither more nor less ${pretty(measure)} is better.`] : better === "unknown" ? [`Whether more or less ${pretty(measure)} is better is not known.`]
        : alone < 0 ? ["No classifier has a value."] : ["Only ", classifier(alone), ` has a value of ${pretty(scoreName(measure, average))}, so there is nothing to compare.`]
      : ties > 1 ? [`${ties} classifiers share the best ${pretty(scoreName(measure, average))}, ${digits(values[first])}.`]
      : shown[first].best ? [classifier(first), ` is better than ${names.length === 2 ? "the other" : "every other"} by ${pretty(scoreName(measure, average))}, as a test shows: `, el("strong", {}, digits(values[first])), "."]
      : [classifier(first), ` has the ${better === "lower" ? "lowest" : "highest"} ${pretty(scoreName(measure, average))}, `, el("strong", {}, digits(values[first])), `; ${shown.some(one => one.ends) ? `no test shows that it is better than ${names.length === 2 ? "the other" : "every other"}` : "the difference is not tested here"}.`])));
    note.textContent = [CLASSIFIERS.adjusted && shown.some(one => one.ends) ? `Intervals of differences and p-values are corrected for ${count(CLASSIFIERS.adjusted)} pairs.` : "", row && row.low.length && !startsSame() ? "Intervals and tests are for another convention." : "",
      rows.some(one => one.low.length) && !(row && row.low.length) ? `Intervals were computed for ${rows.filter(one => one.low.length).map(one => pretty(one.name)).join(", ")}.` : ""].filter(Boolean).join(" ");
    drawRows();
  };
  // The scores that were compared, as a table; those that counts give follow the convention.
  const side = el("table", {class: "grid"});
  const valuesOfRow = row => {
    if (row.measure === null || !(row.measure in FORMULAS)) return {values: known(row.values), mixed: false};
    const found = scoresOfAll(row.measure, row.average);
    return {values: found.map(one => one ? one.value : NaN), found, mixed: mixesUnits(found, row.average)};
  };
  const ranksOfRow = (row, {values, mixed} = valuesOfRow(row)) => mixed ? values.map(() => NaN) : ranksOf(values, row.better);
  const drawRow = (row, order) => {
    const {values, found} = valuesOfRow(row), isBest = i => startsSame() && row.best[i];
    return el("tr", {}, el("th", {scope: "row"}, row.measure ? scoreTitle(row.measure, row.average) : fromPython(label(row.name))), order.map(i => {
      const ends = row.low.length && row.low[i] !== null && startsSame() ? fromPython(`${digits(row.low[i])} to ${digits(row.high[i])}`) : "";
      return el("td", {"data-key": `${row.name} ${i}`, class: isBest(i) ? "winner" : null}, number(values[i] ?? NaN), found ? asZero(row.measure, row.average, found[i], CLASSIFIERS.units[i]) : null, isBest(i) ? el("span", {class: "star"}, el("span", {"aria-hidden": "true"}, "★"), el("span", {class: "hidden"}, "best")) : null, ends ? el("span", {class: "ends"}, ends) : null);
    }));
  };
  const fillTable = (table, some, order = byMeanRank(rows.map(row => ranksOfRow(row)))) => table.replaceChildren(el("caption", {class: "hidden"}, "Scores by classifiers"), classifierHeads(order), el("tbody", {}, some.map(row => drawRow(row, order))));
  const groupTables = content.groups.map(() => el("table", {class: "grid"}));
  const drawRows = () => [side, ...groupTables].forEach((table, i) => fillTable(table, i ? content.groups[i - 1].rows : rows));
  if (CLASSIFIERS.units.length && content.main.average !== null) {
    const choices = content.conventions, at = String(Math.max(0, choices.findIndex(choice => sameConvention(choice, state.convention))));
    root.append(el("div", {class: "controls"}, select("Measure", allMeasures().map(name => [name, pretty(nameUnder(name))]), measure, value => { measure = value; draw(); }),
      averages,
      choices.length ? select("Undefined values", choices.map((choice, i) => [String(i), conventionWords(choice)]), at, value => setConvention({otherwise: choices[+value].otherwise, absent: choices[+value].absent})) : null), says, table, note);
  }
  root.append(el("h3", {}, "The scores that were compared"), el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Scores that were compared"}, side), el("p", {class: "quiet", id: "legend"}, content.legend));
  if (content.said.length) root.append(el("details", {open: content.said.length <= 6}, el("summary", {}, `${count(content.differences.length)} ${content.differences.length === 1 ? "difference" : "differences"} between the classifiers, in sentences`), el("ul", {class: "findings"}, content.said.map(text => el("li", {}, text)))));
  content.groups.forEach((group, i) => {
    root.append(el("h3", {}, "Within the groups of ", label(group.name)), el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": `Scores within groups of ${group.name}`}, groupTables[i]));
  });
  root.append(...content.doubts.map(text => el("p", {class: "quiet"}, text)));
  if (CLASSIFIERS.units.length && content.main.average !== null) draw(); else drawRows();
  return CLASSIFIERS.units.length && content.main.average !== null ? draw : drawRows;
});

// Pairs of classifiers that scores put in opposite orders: by which scores each of the two is ahead.
const reversalsOf = scores => {
  const found = [];
  for (let a = 0; a < CLASSIFIERS.names.length; a++) for (let b = a + 1; b < CLASSIFIERS.names.length; b++) {
    const ahead = scores.filter(one => one.places[a] > one.places[b]), behind = scores.filter(one => one.places[a] < one.places[b]);
    if (ahead.length && behind.length) found.push(ahead.length >= behind.length ? {a, b, ahead, behind} : {a: b, b: a, ahead: behind, behind: ahead});
  }
  return found;
};
// The tests of these two by these scores, the clearest first. There are none under a convention that the page was not made with.
const testsOf = (a, b, scores) => !sameConvention(state.convention, DATA.convention) ? [] : CLASSIFIERS.differences.filter(d => d.p !== null
  && ((d.first === a && d.second === b) || (d.first === b && d.second === a)) && scores.some(one => one.name === d.row)).sort((x, y) => x.p - y.p);

section("ranks", root => {
  const {names, rows} = CLASSIFIERS, MOST = 8;
  let all = !rows.length;
  const says = el("p", {"aria-live": "polite"}), list = el("ul", {class: "findings reversals"}), table = el("table", {class: "grid ranks"}), more = el("p", {class: "quiet"});
  const compared = () => rows.map(row => ({name: row.name, better: row.better,
    values: row.measure !== null && row.measure in FORMULAS ? scoresOfAll(row.measure, row.average).map(one => one ? one.value : NaN) : known(row.values)}));
  const every = () => DATA.averages.flatMap(({name: average}) => DATA.shown.filter(measure => measure in FORMULAS && has(measure, average)).map(measure => ({
    name: scoreName(measure, average), better: DATA.measures[measure].better, values: scoresOfAll(measure, average).map(one => one ? one.value : NaN)})));
  const some = scores => { const shown = scores.slice(0, 3).map(one => pretty(one.name)), more = scores.length - shown.length; return more ? `${shown.join(", ")} and ${more} more` : listed(shown); };
  const listed = texts => texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;
  const withTests = one => {
    const [up, down] = [one.ahead, one.behind].map(scores => testsOf(one.a, one.b, scores));
    return {...one, up, down, clear: [up, down].filter(tests => tests.some(test => test.clear)).length};
  };
  // Whether the tests show more than chance: both ways, one way or not at all.
  const sure = ({up, down, clear}) => {
    const best = tests => `${pretty(tests[0].row)}, ${P_NAME} ${pText(tests[0].p)}`;
    if (!up.length && !down.length) return "These differences were not tested.";
    if (clear === 2) return `Both differences are clear (${best(up)}; ${best(down)}).`;
    if (clear === 1) return up.some(test => test.clear) ? `Only the first difference is clear (${best(up)}).` : `Only the second difference is clear (${best(down)}).`;
    return `No difference is clear: chance may explain them (smallest ${P_NAME} ${pText(Math.min(...[...up, ...down].map(test => test.p)))}).`;
  };
  const sentence = one => el("li", {"data-pair": `${one.a} ${one.b}`, "data-clear": one.clear}, classifier(one.a), " is ahead of ", classifier(one.b), ` by ${some(one.ahead)}; `, classifier(one.b), " is ahead of ", classifier(one.a), ` by ${some(one.behind)}. `, el("span", {class: "advice"}, sure(one)));
  const draw = () => {
    const scores = (all ? every() : compared()).filter(one => hasDirection(one.better) && one.values.filter(Number.isFinite).length > 1).map(one => ({...one, places: placesOf(one.values, one.better), ranks: ranksOf(one.values, one.better)}));
    const found = reversalsOf(scores).map(withTests).sort((x, y) => y.clear - x.clear || y.behind.length - x.behind.length), pairs = names.length * (names.length - 1) / 2;
    const wins = names.map((_, i) => scores.filter(one => one.ranks[i] === 1).length), top = Math.max(...wins), leaders = wins.flatMap((won, i) => won === top ? [i] : []), order = byMeanRank(scores.map(one => one.ranks));
    const both = found.filter(one => one.clear === 2).length;
    says.replaceChildren(...(scores.length < 2 ? ["Fewer than two scores can order the classifiers. "] : found.length
      ? ["Which classifier is ahead depends on the score for ", el("strong", {}, `${count(found.length)} of ${count(pairs)}`), ` ${pairs === 1 ? "pair" : "pairs"} of classifiers; `, both ? `the differences are clear in both directions for ${count(both)}. ` : "for none are the differences clear in both directions. "]
      : [`No two of ${count(scores.length)} scores put classifiers in opposite orders. `]), ...(top && leaders.length === 1 ? [classifier(leaders[0]), ` has the best value by ${count(top)} of ${count(scores.length)} ${scores.length === 1 ? "score" : "scores"}.`] : []));
    list.replaceChildren(...found.slice(0, MOST).map(sentence));
    more.textContent = found.length > MOST ? `${count(found.length - MOST)} more ${found.length === MOST + 1 ? "pair" : "pairs"} of classifiers, none of them clearer.` : "";
    table.replaceChildren(el("caption", {class: "hidden"}, "Ranks of the classifiers by each score"), classifierHeads(order),
      el("tbody", {}, scores.map(one => el("tr", {}, el("th", {scope: "row"}, pretty(one.name)), order.map(i =>
        el("td", {"data-key": `${one.name} ${i}`}, number(one.ranks[i], rankText(one.ranks[i])), el("span", {class: "change"}, digits(one.values[i]))))))));
  };
  if (rows.length && CLASSIFIERS.units.length) root.append(el("div", {class: "controls"}, radios("Scores", [["compared", "those compared"], ["all", "all measures and averages of this page"]], "compared", value => { all = value === "all"; draw(); })));
  root.append(says, list, more, el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Ranks"}, table));
  draw();
  return draw;
});
