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
    says.replaceChildren("Pooled over all entries (micro), ", measureName(measure, nameUnder(measure)), " is ", number(micro), "; the plain mean over classes (macro) is ", number(macro),
      `. The difference of ${signed(macro - micro)} is the sum of what each class adds: how far its own value lies from micro, divided by ${used.length}. `,
      replaced.length ? `Undefined and counted as ${otherwise}: ${names(replaced)}. ` : "", left.length ? `Left out of macro: ${names(left)}. ` : "",
      weight ? "Micro is a mean of the same values, weighted by the shares in the last column: classes with a large share pull it to their value."
        : `Micro ${pretty(nameUnder(measure))} is not a mean of the values of the classes.`);
    waterfall(steps, micro, macro);
  };
  const waterfall = (steps, micro, macro) => {
    // On a narrow page each name stands above its bar, with the value and the share at its right.
    const width = fitted(chart, 1100), narrow = width < 560, rowHeight = narrow ? 44 : 26, barTop = narrow ? 22 : 4;
    const names = narrow ? 4 : Math.min(280, width / 4), right = narrow ? 4 : 250, plot = width - names - right, height = (steps.length + 2) * rowHeight + 6, valueAt = width - (narrow ? 70 : 120);
    let running = micro;
    const stops = [micro, ...steps.map(step => running += step.pull), macro], low = Math.min(...stops), high = Math.max(...stops), pad = (high - low || 0.01) * 0.08;
    const x = v => names + (v - low + pad) / (high - low + 2 * pad) * plot, parts = [];
    const row = (k, name, strong) => parts.push(svg("text", {x: narrow ? names : names - 10, "data-name": name, y: k * rowHeight + (narrow ? 16 : 18), "text-anchor": narrow ? "start" : "end", class: strong ? "strong" : null, direction: "ltr"}, shortened(name, Math.floor((narrow ? valueAt - 70 : names - 10) / 7.4))));
    // A text next to a bar: at its right, at its left where the chart ends, or in it where it fills the chart.
    const writeNextTo = (k, left, end, text, how) => {
      const room = 8 * text.length + 7, after = end + room <= (narrow ? width : names + plot + 60), before = left - room >= (narrow ? 0 : names - 10);
      parts.push(svg("text", {...how, x: after ? end + 7 : before ? left - 7 : end - 7, y: k * rowHeight + barTop + 14, "text-anchor": after ? "start" : "end"}, text));
    };
    const mark = (k, v, name) => {
      row(k, name, true);
      parts.push(svg("path", {class: "now", d: `M${x(v)} ${k * rowHeight + barTop}v18`}));
      writeNextTo(k, x(v), x(v), digits(v), {class: "strong"});
    };
    parts.push(svg("text", {x: valueAt, y: narrow ? 16 : 18, "text-anchor": "end", class: "quiet-text"}, "value"), svg("text", {x: width - 4, y: narrow ? 16 : 18, "text-anchor": "end", class: "quiet-text"},
      steps.some(step => step.share !== null) ? (narrow ? "share" : "share in micro") : ""));
    mark(0, micro, "micro");
    let from = micro;
    steps.forEach((step, k) => {
      const to = from + step.pull, y = (k + 1) * rowHeight, textAt = y + (narrow ? 16 : 18);
      row(k + 1, step.name, false);
      parts.push(svg("path", {class: "thread", d: `M${x(from)} ${y - rowHeight + barTop + 18}V${y + barTop}`}),
        svg("rect", {class: step.pull < 0 ? "down" : "up", x: Math.min(x(from), x(to)), y: y + barTop, width: Math.max(1, Math.abs(x(to) - x(from))), height: 18, rx: 2}));
      writeNextTo(k + 1, Math.min(x(from), x(to)), Math.max(x(from), x(to)), signed(step.pull));
      parts.push(svg("text", {x: valueAt, y: textAt, "text-anchor": "end"}, Number.isNaN(step.value) ? "" : step.undefined ? `undefined: ${step.value}` : digits(step.value)));
      if (step.share !== null) parts.push(svg("text", {x: width - 4, y: textAt, "text-anchor": "end"}, percent(step.share)));
      from = to;
    });
    parts.push(svg("path", {class: "thread", d: `M${x(from)} ${steps.length * rowHeight + barTop + 18}v8`}));
    mark(steps.length + 1, macro, "macro");
    const told = `From micro ${digits(micro)} to macro ${digits(macro)}: ${steps.map(step => `${step.name} ${signed(step.pull)}`).join(", ")}`;
    chart.replaceChildren(svg("svg", {class: "waterfall", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": told}, parts));
  };
  root.append(el("div", {class: "controls"}, select("Measure", content.measures.map(name => [name, pretty(nameUnder(name))]), measure, value => { measure = value; draw(); })), says, chart);
  draw();
  redrawFitted(chart, draw);
  return draw;
});
