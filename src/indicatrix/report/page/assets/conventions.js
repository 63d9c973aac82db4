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
