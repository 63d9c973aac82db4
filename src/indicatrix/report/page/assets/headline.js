section("headline", (root, content) => {
  const cards = el("div", {class: "cards"});
  const convention = el("p", {class: "quiet", id: "convention-used"});
  root.append(cards, convention);
  const remarks = content.remarks.filter(Boolean);
  const reasons = new Set(content.cards.map(card => card.why).filter(Boolean));
  remarks.push(...[...reasons].map(why => `Some scores have no interval: ${why}`));
  if (remarks.length) root.append(...remarks.map(text => el("p", {class: "quiet"}, text)));
  if (content.findings.length) {
    root.append(el("h3", {}, fromPython("Worth knowing")), el("ul", {class: "findings"}, content.findings.map(found =>
      el("li", {}, found.text, " ", el("span", {class: "advice"}, found.advice)))));
  }
  const percentLevel = `${+(100 * DATA.level).toPrecision(4)}%`;
  const draw = () => {
    const own = sameConvention(state.convention, DATA.convention);
    cards.replaceChildren(...content.cards.map(card => {
      const fixed = {value: card.value ?? NaN, lost: [], fixed: true};
      const now = score(card.measure, card.average) ?? fixed, before = score(card.measure, card.average, {convention: DATA.convention}) ?? fixed;
      const moved = !Object.is(now.value, before.value), ends = !moved && card.low !== undefined && card.low !== null;
      const notes = [];
      if (ends) notes.push(el("p", {class: "ends"}, fromPython(`${percentLevel} interval ${digits(card.low)}–${digits(card.high)}`)));
      const zero = asZero(card.measure, card.average, now);
      if (now.lost.length) notes.push(el("p", {}, lostWords(card.average, now)));
      if (moved) notes.push(el("p", {}, `before ${digits(before.value)}; the interval is for that convention`));
      if (ends && card.warning) notes.push(el("p", {}, card.warning));
      return el("div", {class: moved ? "card moved" : "card", "data-key": `${card.measure} ${card.average}`},
        el("p", {class: "name"}, card.plain ? "" : `${card.average} `, measureName(card.measure, card.called), card.average === "binary" && POSITIVE !== null ? [" of ", label(POSITIVE)] : ""),
        el("p", {class: "big"}, now.fixed ? fromPython(number(now.value)) : number(now.value), zero),
        bar(card.measure, now.value, {low: ends ? card.low : NaN, high: ends ? card.high : NaN, width: 180}),
        ...notes);
    }));
    const lost = content.cards.some(card => score(card.measure, card.average)?.lost.length);
    convention.textContent = `Undefined values (0 divided by 0): ${conventionWords(state.convention)}.${lost ? "" : " These scores have none."}`;
    if (!own) cards.dataset.convention = "other"; else delete cards.dataset.convention;
  };
  draw();
  return draw;
});

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

// A reporting checklist: what the evaluation says about its items, then the items that the authors fill.
section("checklist", (root, content) => {
  const table = (keys, heads, wanted) => {
    const cells = i => keys.map(key => el("td", {"data-key": key}, content[key][i]));
    const rows = content.number.flatMap((item, i) => wanted(content.state[i]) ? [el("tr", {}, el("th", {scope: "row"}, item), ...cells(i))] : []);
    const head = ["Item", ...heads].map(text => el("th", {scope: "col"}, text));
    return el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows));
  };
  const open = content.state.filter(state => state === "open").length;
  root.append(el("p", {class: "quiet"}, content.title),
    el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "What the evaluation fills"},
      table(["topic", "asks", "state", "says"], ["Topic", "Asks", "State", "From the evaluation"], state => state !== "open")),
    el("details", {}, el("summary", {}, `${open} items for the authors`), table(["topic", "asks"], ["Topic", "Asks"], state => state === "open")));
});
