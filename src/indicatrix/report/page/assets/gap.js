// Macro is micro plus the mean over classes of (value of the class - micro): each class adds its part of the difference.
section("gap", (root, content) => {
  const units = DATA.units.class, MOST = 14;
  let measure = content.main;
  const says = el("p", {"aria-live": "polite"}), chart = el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "From micro to macro, class by class"});
  const pooled = () => ({tp: [total(units.tp)], fp: [total(units.fp)], fn: [total(units.fn)], tn: [total(units.tn)], times: null, classes: false});
  const draw = () => {
    const {otherwise} = state.convention, of = (counts, pools) => scoreOf(FORMULAS[measure], {pooled: pools, weight: null}, counts, state.convention);
    const {value: micro} = of(pooled(), true), {value: macro, values, weights, lost} = of(units, false);
    const names = is => fewNames(is.map(i => DATA.classes[i]));
    if (!Number.isFinite(micro) || !Number.isFinite(macro)) {
      says.textContent = `${pretty(measure)} is undefined here${lost.length ? ` (for ${names(lost)}: ${conventionWords(state.convention)})` : ""}, so there is no gap.`;
      chart.replaceChildren();
      return;
    }
    // An undefined class is in the mean with the number that the convention gives it, or is left out.
    const defined = i => Number.isFinite(values[i]), valueOf = i => defined(i) ? values[i] : otherwise;
    const used = values.flatMap((_, i) => weights?.[i] !== 0 && (defined(i) || typeof otherwise === "number") ? [i] : []);
    const inside = new Set(used), left = lost.filter(i => !inside.has(i)), replaced = used.filter(i => !defined(i));
    const weight = measure in DENOMINATORS ? values.map((_, i) => apply(DENOMINATORS[measure], cellsOf(units, i))) : null, heavy = weight && total(weight);
    const parts = used.map(i => ({i, pull: (valueOf(i) - micro) / used.length, value: valueOf(i), undefined: !defined(i), share: weight && weight[i] / heavy}))
      .sort((a, b) => Math.abs(b.pull) - Math.abs(a.pull));
    const shown = parts.slice(0, parts.length > MOST ? MOST - 1 : MOST), rest = parts.slice(shown.length);
    const steps = [...shown.map(part => ({name: DATA.classes[part.i], ...part}))];
    if (rest.length) steps.push({name: `${rest.length} other classes`, pull: total(rest.map(part => part.pull)), value: NaN, share: weight && total(rest.map(part => part.share))});
    says.replaceChildren("Pooled over all entries (micro), ", measureName(measure), " is ", number(micro), "; the plain mean over classes (macro) is ", number(macro),
      `. The difference of ${signed(macro - micro)} is the sum of what each class adds: how far its own value lies from micro, divided by ${used.length}. `,
      replaced.length ? `Undefined and counted as ${otherwise}: ${names(replaced)}. ` : "", left.length ? `Left out of macro: ${names(left)}. ` : "",
      weight ? "Micro is a mean of the same values, weighted by the shares in the last column: classes with a large share pull it to their value."
        : `Micro ${pretty(measure)} is not a mean of the values of the classes.`);
    waterfall(steps, micro, macro);
  };
  const waterfall = (steps, micro, macro) => {
    const rowHeight = 26, names = 150, width = 720, right = 250, plot = width - names - right, height = (steps.length + 2) * rowHeight + 6;
    let running = micro;
    const stops = [micro, ...steps.map(step => running += step.pull), macro], low = Math.min(...stops), high = Math.max(...stops), pad = (high - low || 0.01) * 0.08;
    const x = v => names + (v - low + pad) / (high - low + 2 * pad) * plot, parts = [];
    const row = (k, name, strong) => {
      const shortName = name.length > 20 ? `${name.slice(0, 19)}…` : name;
      parts.push(svg("text", {x: names - 10, y: k * rowHeight + 18, "text-anchor": "end", class: strong ? "strong" : null, direction: "ltr"}, shortName));
    };
    const mark = (k, v, name) => {
      row(k, name, true);
      parts.push(svg("path", {class: "now", d: `M${x(v)} ${k * rowHeight + 4}v18`}), svg("text", {x: x(v) + 7, y: k * rowHeight + 18, class: "strong"}, digits(v)));
    };
    parts.push(svg("text", {x: width - 120, y: 18, "text-anchor": "end", class: "quiet-text"}, "value"), svg("text", {x: width - 4, y: 18, "text-anchor": "end", class: "quiet-text"},
      steps.some(step => step.share !== null) ? "share in micro" : ""));
    mark(0, micro, "micro");
    let from = micro;
    steps.forEach((step, k) => {
      const to = from + step.pull, y = (k + 1) * rowHeight;
      row(k + 1, step.name, false);
      parts.push(svg("path", {class: "thread", d: `M${x(from)} ${y - rowHeight + 22}V${y + 4}`}),
        svg("rect", {class: step.pull < 0 ? "down" : "up", x: Math.min(x(from), x(to)), y: y + 4, width: Math.max(1, Math.abs(x(to) - x(from))), height: 18, rx: 2}),
        svg("text", {x: Math.max(x(from), x(to)) + 6, y: y + 18}, signed(step.pull)));
      parts.push(svg("text", {x: width - 120, y: y + 18, "text-anchor": "end"}, Number.isNaN(step.value) ? "" : step.undefined ? `undefined: ${step.value}` : digits(step.value)));
      if (step.share !== null) parts.push(svg("text", {x: width - 4, y: y + 18, "text-anchor": "end"}, percent(step.share)));
      from = to;
    });
    parts.push(svg("path", {class: "thread", d: `M${x(from)} ${steps.length * rowHeight + 22}v8`}));
    mark(steps.length + 1, macro, "macro");
    const told = `From micro ${digits(micro)} to macro ${digits(macro)}: ${steps.map(step => `${step.name} ${signed(step.pull)}`).join(", ")}`;
    chart.replaceChildren(svg("svg", {class: "waterfall", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": told}, parts));
  };
  root.append(el("div", {class: "controls"}, select("Measure", content.measures.map(name => [name, pretty(name)]), measure, value => { measure = value; draw(); })), says, chart);
  draw();
  return draw;
});
