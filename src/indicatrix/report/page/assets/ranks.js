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
