// Kendall's tau-b of two orders, over the classifiers that have both places; NaN if one of them ties all.
const kendall = (one, other) => {
  let agree = 0, left = 0, right = 0;
  for (let a = 0; a < one.length; a++) for (let b = 0; b < a; b++) {
    const x = Math.sign(one[a] - one[b]), y = Math.sign(other[a] - other[b]);
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    agree += x * y; left += x * x; right += y * y;
  }
  return left && right ? agree / Math.sqrt(left * right) : NaN;
};
// Pairs of scores that put classifiers in opposite orders, the most contradictory first.
const reversalsOf = scores => {
  const found = [];
  scores.forEach((one, i) => scores.slice(i + 1).forEach(other => {
    const pairs = [];
    for (let a = 0; a < one.places.length; a++) for (let b = a + 1; b < one.places.length; b++) {
      if ((one.places[a] - one.places[b]) * (other.places[a] - other.places[b]) < 0) pairs.push(one.places[a] > one.places[b] ? [a, b] : [b, a]);
    }
    if (pairs.length) found.push({one: one.name, other: other.name, pairs, tau: kendall(one.places, other.places)});
  }));
  return found.sort((x, y) => x.tau - y.tau || y.pairs.length - x.pairs.length);
};

section("ranks", root => {
  const {names, rows} = CLASSIFIERS, MOST = 8;
  let all = !rows.length;
  const says = el("p", {"aria-live": "polite"}), list = el("ul", {class: "findings reversals"}), table = el("table", {class: "grid ranks"}), more = el("p", {class: "quiet"});
  const compared = () => rows.map(row => ({name: row.name, better: row.better,
    values: row.measure !== null && row.measure in FORMULAS ? scoresOfAll(row.measure, row.average).map(one => one ? one.value : NaN) : known(row.values)}));
  const every = () => DATA.averages.flatMap(({name: average}) => DATA.shown.filter(measure => measure in FORMULAS && has(measure, average)).map(measure => ({
    name: average === "binary" ? `binary ${measure}` : `${average} ${measure}`, better: DATA.measures[measure].better, values: scoresOfAll(measure, average).map(one => one ? one.value : NaN)})));
  const sentence = ({one, other, pairs}) => {
    const [[a, b], ...others] = pairs, also = others.slice(0, 2).map(([x, y]) => [label(names[x]), " over ", label(names[y])]);
    if (others.length > 2) also.push([`${others.length - 2} more ${others.length === 3 ? "pair" : "pairs"}`]);
    const joined = also.flatMap((words, i) => [i === 0 ? "; the same holds for " : i === also.length - 1 ? " and " : ", ", ...words]);
    return el("li", {}, label(names[a]), " beats ", label(names[b]), ` by ${pretty(one)}, but `, label(names[b]), " beats ", label(names[a]), ` by ${pretty(other)}`, ...joined, ".");
  };
  const draw = () => {
    const scores = (all ? every() : compared()).filter(one => one.better !== "neither" && one.values.length).map(one => ({...one, places: placesOf(one.values, one.better)}));
    const found = reversalsOf(scores), pairs = scores.length * (scores.length - 1) / 2, wins = names.map((_, i) => scores.filter(one => ranksOf(one.values, one.better)[i] === 1).length);
    const top = Math.max(...wins), leaders = names.filter((_, i) => wins[i] === top);
    says.replaceChildren(...(scores.length < 2 ? ["Fewer than two scores can order the classifiers."] : found.length
      ? ["Which classifier is better depends on the score: ", el("strong", {}, `${count(found.length)} of ${count(pairs)}`), ` pairs of scores put some in opposite orders. `]
      : [`No two of ${count(scores.length)} scores put classifiers in opposite orders. `]), ...(top && leaders.length === 1 ? [label(leaders[0]), ` is best by ${count(top)} of ${count(scores.length)} scores.`] : []));
    list.replaceChildren(...found.slice(0, MOST).map(sentence));
    more.textContent = found.length > MOST ? `${count(found.length - MOST)} more pairs of scores disagree.` : "";
    table.replaceChildren(el("caption", {class: "hidden"}, "Ranks of the classifiers by each score"), el("thead", {}, el("tr", {}, el("td", {}), names.map(name => el("th", {scope: "col"}, label(name))))),
      el("tbody", {}, scores.map(one => { const ranks = ranksOf(one.values, one.better); return el("tr", {}, el("th", {scope: "row"}, pretty(one.name)), ranks.map((rank, i) =>
        el("td", {class: rank === 1 ? "winner" : null, "data-key": `${one.name} ${i}`}, number(rank, rankText(rank)), el("span", {class: "change"}, digits(one.values[i]))))); })));
  };
  if (rows.length && CLASSIFIERS.units.length) root.append(el("div", {class: "controls"}, radios("Scores", [["compared", "those compared"], ["all", "all measures and averages of this page"]], "compared", value => { all = value === "all"; draw(); })));
  root.append(says, list, more, el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Ranks"}, table));
  draw();
  return draw;
});
