// A reporting checklist: each item with what the evaluation says, or that the authors fill it.
section("checklist", (root, content) => {
  const rows = content.number.map((item, i) => el("tr", {}, el("th", {scope: "row"}, item), el("td", {"data-key": "topic"}, content.topic[i]),
    el("td", {"data-key": "asks"}, content.asks[i]), el("td", {"data-key": "state"}, content.state[i]), el("td", {"data-key": "says"}, content.says[i])));
  const heads = ["Item", "Topic", "Asks", "State", "From the evaluation"].map(text => el("th", {scope: "col"}, text));
  const table = el("table", {}, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows));
  root.append(el("p", {class: "quiet"}, content.title), el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Reporting checklist"}, table));
});
