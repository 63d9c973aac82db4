// Few classes are one table; many are an overview and a table of the part that was chosen in it.
section("matrix", (root, content) => {
  const m = DATA.classes.length, whole = m <= 30, shownAtOnce = whole ? m : 20;
  const totals = matrixTotals();
  let kind = "none", sorting = "given", order = classOrder(sorting, totals), top = 0, left = 0, at = [0, 0];
  const entries = MATRIX.map(row => new Map(row));
  const entry = (i, j) => entries[i].get(j) || 0;
  const name = i => DATA.classes[i];
  const says = el("p", {class: "says", "aria-live": "polite"});
  const table = el("table", {class: "matrix", role: "grid", "aria-label": "Confusion matrix"});
  const overview = whole ? null : el("canvas", {class: "overview", width: 960, height: 960, role: "img",
    "aria-label": `Overview of all ${m} × ${m} entries; the table shows the part in the frame`});

  const tell = (i, j) => {
    const x = entry(i, j), share = kindOf => percent(normalized(x, i, j, kindOf, totals));
    says.replaceChildren(i === j ? "Right: true " : "True ", label(name(i)), ", predicted ", label(name(j)), ": ",
      el("strong", {}, count(x)), ` — ${share("row")} of this true class, ${share("column")} of this predicted class, ${share("all")} of all.`);
  };
  const largest = () => {
    let right = 0, wrong = 0;
    MATRIX.forEach((row, i) => row.forEach(([j, x]) => {
      const share = normalized(x, i, j, kind, totals);
      if (i === j) right = Math.max(right, share || 0); else wrong = Math.max(wrong, share || 0);
    }));
    return kind === "row" || kind === "column" ? [1, 1] : [right || 1, Math.max(wrong, right / 4) || 1];
  };
  const show = x => kind === "none" ? count(x) : Number.isNaN(x) ? "–" : x === 0 ? "0" : (100 * x).toFixed(x < 0.0995 ? 1 : 0);

  const drawTable = () => {
    const rows = order.slice(top, top + shownAtOnce), columns = order.slice(left, left + shownAtOnce), [right, wrong] = largest();
    const head = el("tr", {role: "row"}, el("td", {class: "corner", role: "gridcell"}, "true ↓ predicted →"),
      columns.map(j => el("th", {role: "columnheader", scope: "col"}, label(name(j)))));
    const body = rows.map((i, r) => el("tr", {role: "row"}, el("th", {role: "rowheader", scope: "row"}, label(name(i))),
      columns.map((j, c) => {
        const x = normalized(entry(i, j), i, j, kind, totals), part = Math.sqrt(Math.min(1, (x || 0) / (i === j ? right : wrong)));
        const here = r === at[0] && c === at[1];
        return el("td", {role: "gridcell", tabindex: here ? 0 : -1, class: i === j ? "right" : "wrong", style: `--part:${(100 * part).toFixed(0)}%`,
          "data-i": i, "data-j": j, "data-r": r, "data-c": c}, entry(i, j) === 0 && !Number.isNaN(x) ? number(x, "·") : number(x, show(x)));
      })));
    table.replaceChildren(el("thead", {role: "rowgroup"}, head), el("tbody", {role: "rowgroup"}, body));
    if (overview) drawOverview();
  };
  const drawOverview = () => {
    const pen = overview.getContext("2d"), size = overview.width, place = [], [right, wrong] = largest();
    order.forEach((i, position) => { place[i] = position; });
    const color = name => { overview.style.color = `var(${name})`; return getComputedStyle(overview).color; };
    const inks = {right: color("--blue"), wrong: color("--orange"), frame: color("--ink")}, cell = Math.max(1, size / m);
    pen.clearRect(0, 0, size, size);
    const strongest = new Map();  // several entries share a pixel: it shows the strongest
    MATRIX.forEach((row, i) => row.forEach(([j, x]) => {
      const part = Math.sqrt(Math.min(1, (normalized(x, i, j, kind, totals) || 0) / (i === j ? right : wrong)));
      const key = Math.floor(place[i] * size / m) * size + Math.floor(place[j] * size / m), own = strongest.get(key);
      if (!own || own[0] < part) strongest.set(key, [part, i === j]);
    }));
    for (const [key, [part, isRight]] of strongest) {
      pen.globalAlpha = 0.12 + 0.88 * part;
      pen.fillStyle = isRight ? inks.right : inks.wrong;
      pen.fillRect(key % size, Math.floor(key / size), cell, cell);
    }
    pen.globalAlpha = 1;
    pen.strokeStyle = inks.frame;
    pen.lineWidth = 4;
    pen.strokeRect(left * size / m, top * size / m, shownAtOnce * size / m, shownAtOnce * size / m);
  };
  const cellOf = target => target.closest("td[data-i]");
  const focusAt = (r, c) => {
    at = [r, c];
    for (const cell of table.querySelectorAll("td[tabindex='0']")) cell.tabIndex = -1;
    const cell = table.querySelector(`td[data-r="${r}"][data-c="${c}"]`);
    cell.tabIndex = 0;
    cell.focus();
  };
  table.addEventListener("mouseover", event => { const cell = cellOf(event.target); if (cell) tell(+cell.dataset.i, +cell.dataset.j); });
  table.addEventListener("focusin", event => { const cell = cellOf(event.target); if (cell) tell(+cell.dataset.i, +cell.dataset.j); });
  table.addEventListener("keydown", event => {
    const step = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
    if (!step) return;
    event.preventDefault();
    const limit = x => Math.max(0, Math.min(shownAtOnce - 1, x));
    focusAt(limit(at[0] + step[0]), limit(at[1] + step[1]));
  });
  const move = (r, c) => {
    const limit = x => Math.max(0, Math.min(m - shownAtOnce, Math.round(x)));
    [top, left] = [limit(r), limit(c)];
    for (const [input, value] of [[rowStart, top], [columnStart, left]]) input.value = value;
    drawTable();
  };
  const start = (title, moveTo) => el("input", {type: "range", min: 0, max: m - shownAtOnce, value: 0, "aria-label": title, oninput: event => moveTo(+event.target.value)});
  const rowStart = start("First row of the table", x => move(x, left)), columnStart = start("First column of the table", x => move(top, x));
  if (overview) {
    overview.addEventListener("click", event => {
      const box = overview.getBoundingClientRect();
      move((event.clientY - box.top) / box.height * m - shownAtOnce / 2, (event.clientX - box.left) / box.width * m - shownAtOnce / 2);
    });
  }
  const resort = value => { sorting = value; order = classOrder(sorting, totals); drawTable(); };
  root.append(el("div", {class: "controls"},
    radios("Show", [["none", "counts"], ["row", "% of row"], ["column", "% of column"], ["all", "% of all"]], kind, value => { kind = value; drawTable(); }),
    select("Order", [["given", "as given"], ["size", "largest first"], ["error", "most errors first"], ["similarity", "confused classes together"]], sorting, resort)));
  if (overview) {
    root.append(el("div", {class: "two"}, el("div", {}, overview,
      el("div", {class: "controls"}, el("span", {class: "choice"}, "Rows", rowStart), el("span", {class: "choice"}, "Columns", columnStart))), worst()));
  }
  const part = el("div", {class: "scroll"}, table);
  root.append(...(overview ? [part, says] : [el("div", {class: "two"}, part, worst()), says]));

  // The entries off the diagonal with the largest counts.
  function worst() {
    const pairs = MATRIX.flatMap((row, i) => row.filter(([j]) => j !== i).map(([j, x]) => [i, j, x])).sort((a, b) => b[2] - a[2]).slice(0, whole ? 5 : 12);
    if (!pairs.length) return el("p", {class: "quiet"}, "No example was confused.");
    return el("div", {class: "worst"}, el("h3", {}, "Most confused"), el("ol", {}, pairs.map(([i, j, x]) =>
      el("li", {}, label(name(i)), " taken for ", label(name(j)), ": ", count(x), el("span", {class: "quiet"}, ` (${percent(ratio(x, totals.rows[i]))} of the class)`)))));
  }
  says.textContent = "Point at an entry, or move through the table with the arrow keys, to read it.";
  drawTable();
  return drawTable;
});
