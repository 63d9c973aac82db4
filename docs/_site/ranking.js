/* How the search of the site ranks pages. Sphinx asks that every word occurs and takes the best word's score, so that a page with
   all words in its title and one that mentions them in passing are equal. Here rare words count more than frequent ones, words in a
   title more than in a heading, and those more than in the text; each page is one result, at the heading that fits best. */

const IN_TITLE = 5, IN_HEADING = 2.5, IN_TEXT = 1, BEGINNING = 0.5; // BEGINNING: of a word that only begins with what was typed
const SAME_NAME = 12; // a title or an entry of the index that is what was typed, such as the name of a function
const SAME_TASK = 7; // a page under whose words of KNOWN_AS all that was typed is
const ROOMS = { reference: 0.55, gallery: 0.6, project: 0.75, settings: 0.8, measures: 0.85, why: 0.85 }; // others: 1

/* Words that mean the same here, as readers of other libraries know them: also look for these. */
const ALSO = { metric: ["measur"], confid: ["interv"], cutoff: ["threshold"], sklearn: ["scikit"], notebook: ["jupyt"] };

/* Under what readers look for a page whose title has other words; they count as its title. */
const KNOWN_AS = {
  "start/ten-minutes": "tutorial quickstart getting started first steps example",
  "start/install": "pip conda requirements",
  "choose/which-measure": "which metric imbalanced choose accuracy or F1",
  "choose/which-average": "macro or micro weighted",
  "choose/undefined-values": "zero_division 0/0 nan undefined",
  "how-sure/intervals": "confidence interval bootstrap standard error",
  "how-sure/comparing": "compare two models significance test mcnemar paired p-value",
  "how-sure/planning": "sample size power",
  "how-sure/folds": "cross-validation",
  "guides/thresholds": "choose a threshold operating point cutoff",
  "guides/labels": "multilabel multi-label",
  "guides/classes": "multiclass",
  "guides/ordinal": "ordinal star ratings",
  "guides/hierarchical": "hierarchy taxonomy",
  "guides/abstention": "abstain reject open set",
  "guides/unlabeled": "positive-unlabeled",
  "guides/agreement": "annotator kappa raters",
  "guides/groups": "fairness bias subgroups",
  "guides/imperfect-truth": "llm judge noisy labels",
  "work/files": "parquet csv arrow",
  "work/gates": "ci gate regression monitoring",
  "work/scikit-learn": "GridSearchCV scorer pipeline",
  "work/training": "pytorch torch lightning keras",
  "work/plots": "latex table figures",
  "work/report-page": "html report share",
  "project/coming-from": "migrate sklearn torchmetrics",
  "project/format": "save load",
  "project/performance": "speed benchmark fast",
};

function rankPages() {
  const stemmer = new Stemmer();
  const partsOf = (word) => (word.includes("_") ? [word, ...word.split("_")] : [word]);
  const wordsOf = (text) =>
    splitQuery(text.toLowerCase()).filter((word) => !stopwords.has(word)).flatMap(partsOf).map((word) => stemmer.stemWord(word));
  const filesOf = (table, word) => (Object.hasOwn(table, word) ? [table[word]].flat() : []);

  /* Return what each word adds to each page: a map from the page to [strength, where]. */
  function found(word, index) {
    const pages = new Map();
    const add = (file, strength) => pages.set(file, Math.max(pages.get(file) ?? 0, strength));
    const look = (typed, part) => {
      for (const [table, weight] of [[index.terms, IN_TEXT], [index.titleterms, IN_HEADING]]) {
        filesOf(table, typed).forEach((file) => add(file, weight * part));
        if (typed.length > 2)
          for (const [term, files] of Object.entries(table))
            if (term.startsWith(typed) && term !== typed) [files].flat().forEach((file) => add(file, weight * part * BEGINNING));
      }
      index.known.forEach((known, file) => {
        if (known.has(typed)) add(file, IN_TITLE * part);
      });
    };
    look(word, 1);
    (ALSO[word] ?? []).forEach((other) => look(other, 0.8));
    return pages;
  }

  /* Return the anchor of the heading of a page with most of the words, and how many it has; none if that is the title. */
  function bestHeading(file, words, index) {
    let best = ["", "", 0];
    for (const [heading, places] of Object.entries(index.alltitles))
      for (const [page, anchor] of places)
        if (page === file) {
          const some = wordsOf(heading), hits = words.filter((word) => some.includes(word)).length;
          if (hits > best[2]) best = [heading, anchor === null ? "" : `#${anchor}`, hits];
        }
    return best;
  }

  Search._performSearch = (query, searchTerms, excludedTerms) => {
    const index = Search._index, words = [...searchTerms], typed = query.toLowerCase().trim();
    const names = index.titles.map((title) => [title, ...title.split(": ")].flatMap((name) => [name, name.split(".").at(-1)]));
    for (const [entry, places] of Object.entries(index.indexentries)) for (const [file] of places) names[file].push(entry);
    index.inTitle ??= index.titles.map((title) => new Set(wordsOf(title)));
    index.tasks ??= index.docnames.map((page) => new Set(wordsOf(KNOWN_AS[page] ?? "")));
    index.known ??= index.tasks.map((some, file) => new Set([...index.inTitle[file], ...some]));
    document.getElementById("search-progress")?.replaceChildren();
    const scores = new Map(), hits = new Map();
    let whole = 0;
    for (const word of words) {
      const pages = found(word, index);
      const rarity = Math.log(1 + index.docnames.length / (1 + pages.size));
      if (pages.size) whole += rarity;
      for (const [file, strength] of pages) {
        scores.set(file, (scores.get(file) ?? 0) + rarity * strength);
        hits.set(file, (hits.get(file) ?? 0) + 1);
      }
    }
    names.forEach((some, file) => {
      if (some.some((name) => name.toLowerCase() === typed)) {
        scores.set(file, (scores.get(file) ?? 0) + SAME_NAME * (whole || 1));
        hits.set(file, words.length);
      }
      if (words.every((word) => index.tasks[file].has(word))) scores.set(file, (scores.get(file) ?? 0) + SAME_TASK * whole);
    });
    const without = new Set([...excludedTerms].flatMap((word) => [...filesOf(index.terms, word), ...filesOf(index.titleterms, word)]));
    const most = Math.max(0, ...hits.values());
    const kept = [...scores].filter(([file]) => hits.get(file) === most && !without.has(file));
    const ranked = kept.map(([file, score]) => {
      const title = index.titles[file], length = wordsOf(title).length || 1;
      const room = ROOMS[index.docnames[file].split("/")[0]] ?? 1;
      const part = words.filter((word) => index.inTitle[file].has(word)).length / length;
      return [file, (score / (whole || 1)) * (1 + 0.5 * part) * room];
    });
    ranked.sort((a, b) => b[1] - a[1] || index.titles[a[0]].localeCompare(index.titles[b[0]]));
    const results = ranked.slice(0, 50).map(([file, score]) => {
      const [heading, anchor, count] = bestHeading(file, words, index), title = index.titles[file];
      const below = count > words.filter((word) => index.inTitle[file].has(word)).length;
      return [index.docnames[file], below ? `${title} > ${heading}` : title, below ? anchor : "", null, score, index.filenames[file], "text"];
    });
    return results.reverse(); // Sphinx shows the last one first
  };

  // Opened as a file, a page may not read others: results have no excerpts there.
  if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}

// Themes load this file before or after Sphinx's search.
if (typeof Search === "undefined") document.addEventListener("DOMContentLoaded", rankPages);
else rankPages();
