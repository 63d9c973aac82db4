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
