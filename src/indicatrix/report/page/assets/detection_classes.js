// Every class: its objects, average precision and recall.
section("detection_classes", (root, content) => {
  const keys = Object.keys(content.columns), value = (key, i) => content.columns[key][i] ?? NaN;
  const columns = [{key: "class", title: "Class", value: i => content.names[i]}, ...keys.map(key => ({key, title: key === "objects" ? key : fromPython(key), numeric: true, value: i => value(key, i)})), {key: "chart", title: ""}];
  const table = sortedTable("Classes", columns, i => [el("th", {scope: "row"}, label(content.names[i])),
    ...keys.map(key => el("td", {class: key === "AP" ? "n main" : "n", "data-key": key}, key === "objects" ? number(value(key, i), count(value(key, i))) : number(value(key, i)))),
    el("td", {class: "chart"}, bar("recall", value("AP", i)))], {by: "objects"});
  table.draw(content.names.length);
  root.append(table);
});
