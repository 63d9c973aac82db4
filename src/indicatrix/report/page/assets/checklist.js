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
