// The numbers of the summary, the first with its interval.
section("detection_numbers", (root, content) => {
  const [low, high] = content.interval.map(end => end ?? NaN);
  const rows = content.rows.map(({name, says, value}, i) => el("tr", {},
    el("th", {scope: "row"}, name), el("td", {}, says), el("td", {class: "n main", "data-key": name}, number(value ?? NaN)),
    el("td", {class: "chart"}, bar("recall", value ?? NaN, i ? {} : {low, high}),
      !i && Number.isFinite(low) ? el("span", {class: "hidden"}, `from ${digits(low)} to ${digits(high)}`) : null)));
  const table = el("table", {}, el("thead", {}, el("tr", {}, ["Number", "What it is"].map(text => el("th", {scope: "col"}, text)), el("th", {scope: "col", class: "n"}, fromPython("Value")),
    el("th", {scope: "col"}, Number.isFinite(low) ? fromPython(`${levelWords()} interval`) : ""))), el("tbody", {}, rows));
  root.append(el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Numbers"}, table));
  const notes = [Number.isFinite(low) ? `The ${levelWords()} interval of AP goes from ${digits(low)} to ${digits(high)}, for other samples of images.` : "", content.warning];
  root.append(...notes.filter(Boolean).map(text => el("p", {class: "quiet"}, text)));
});
